"""Frames into files: GIF by Pillow, MP4 by ffmpeg."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from os import PathLike
from typing import IO, cast

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from tqdm import tqdm

from sympact.integrate.export.whole_file import replaced, whole_file
from sympact.show.animation.canvas import Canvas
from sympact.show.animation.scene import Scene

NEARLY_WHITE = 248
"""Of 255; Pillow merges colours that differ by less than 4."""

COLOURS, LOOKED_AT = 255, 12
"""The colours of the one palette of a GIF, and the number of frames that it is computed from."""

PATIENCE = 2.0
"""A film that takes longer shows its progress (s)."""


def write_gif(scene: Scene, path: str | PathLike) -> None:
    """Write a scene as a GIF that repeats for ever.

    GIF counts time in hundredths of a second, so that each frame is shown for the nearest multiple, without drift.
    """
    canvas, count = Canvas(scene), len(scene.times)
    some = [np.asarray(frame) for frame in canvas.frames(range(0, count, max(1, count // LOOKED_AT)))]
    palette = _palette(np.concatenate(some))
    images = (frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in _counted(canvas))
    first = next(images)
    with whole_file(path) as file:
        first.save(file, "GIF", save_all=True, append_images=images, duration=durations(count, scene.fps), loop=0)


def _counted(canvas: Canvas) -> Iterator[Image.Image]:
    """All frames; a bar in the terminal counts them where they take longer than `PATIENCE`."""
    count = len(canvas.scene.times)
    return iter(tqdm(canvas.frames(), "frames", count, leave=False, disable=None, delay=PATIENCE, dynamic_ncols=True))


def _palette(pixels: NDArray) -> Image.Image:
    """An image with the colours of several frames; pixels that are nearly white, as the mean of neighbours, are
    white."""
    found = Image.fromarray(pixels).quantize(COLOURS, Image.Quantize.MEDIANCUT)
    colours = np.reshape(found.getpalette(), (-1, 3))
    colours[(colours >= NEARLY_WHITE).all(axis=1)] = 255
    found.putpalette(colours.ravel().tolist())
    return found


def durations(count: int, fps: float) -> list[int]:
    """How long each frame of a GIF is shown, in ms; multiples of 10 whose sum does not drift.

    >>> durations(6, 30)
    [30, 40, 30, 30, 40, 30]
    """
    ends = np.round(100 * np.arange(count + 1) / fps).astype(int)
    return (10 * np.maximum(np.diff(ends), 1)).tolist()


def find_ffmpeg() -> str:
    """The path of ffmpeg.

    Raises
    ------
    ValueError
        If there is none.
    """
    found = shutil.which("ffmpeg")
    if found is None:
        raise ValueError(
            "an MP4 needs the program ffmpeg, which is not on the PATH; install it, or write a .gif or .html file,"
            " which need nothing else"
        )
    return found


def write_mp4(scene: Scene, path: str | PathLike) -> None:
    """Write a scene as an MP4 film (H.264), by ffmpeg.

    Raises
    ------
    ValueError
        If there is no ffmpeg, or it fails; with its last output.
    """
    program, canvas = find_ffmpeg(), Canvas(scene)
    width, height = canvas.size
    source = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", f"{scene.fps:g}", "-i", "-"]
    target = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "20", "-movflags", "+faststart"]
    with replaced(path) as part:
        command = [program, "-y", "-loglevel", "error", *source, *target, str(part)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            said = _feed(cast(IO[bytes], process.stdin), cast(IO[bytes], process.stderr), _counted(canvas))
        if process.returncode:
            raise ValueError(f"ffmpeg could not write {str(path)!r}: {said.strip() or 'it gave no reason'}")


def _feed(pipe: IO[bytes], answer: IO[bytes], frames: Iterator[Image.Image]) -> str:
    """Send all frames to ffmpeg and return its output; it may close its input when it fails."""
    with suppress(BrokenPipeError):
        for frame in frames:
            pipe.write(frame.tobytes())
    with suppress(BrokenPipeError):
        pipe.close()
    return answer.read().decode(errors="replace")
