"""Functions in pieces of bounded size, as LLVM IR: what repeats is a loop over the rows of a table.

A piece is a function of the inputs, of a scratch memory on the stack, where the values that other pieces use are
stored, and of the places that it is called for. A table has a row for each: the indices of inputs and outputs, and the
constants, that are not the same in all places. Outputs that are zero are set first, all at once. The state is copied,
because the result may overwrite it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sympact.graph.code.ldl import WIDTH
from sympact.graph.code.lines import ZERO, Lines, literal
from sympact.graph.code.pieces import Piece, Store, in_pieces, negated_products, ordered, saved
from sympact.graph.code.straight import row_length, signature, write_nodes
from sympact.graph.nodes.operations import CONDITIONS, LEAVES

__all__ = ["function_in_pieces"]

_SIZE = 250  # nodes of a piece; 500 and more cost up to half as much again to compile, and run no faster
_ZERO_ROW = ["const", (0.0).hex()]
_NEXT_PLACE = """\
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %end
  br i1 %more, label %place, label %done
done:
  ret void""".splitlines()


def function_in_pieces(rows: list[list], function: dict, needed: Sequence[int], groups: Sequence[int]) -> str:
    """The IR of a function of a table that needs the nodes at some positions.

    `groups` are those of its outputs, empty where they are not known.
    """
    rows, rank = ordered(rows, needed)
    rows = negated_products(rows)
    stores, of_stores, end = _stores(rows, function, groups)
    repeats = in_pieces(rows, rank, stores, of_stores if groups else None, _SIZE)
    slots, end = saved(rows, repeats, end)
    states = 1 + max((row[2] for row in rows if row[:2] == ["input", "x"]), default=-1)
    lines, texts = Lines(), []
    _write_beginning(lines, rows, function, end, states)
    for r, repeat in enumerate(repeats):
        names = [f"@{function['name']}.{r}.{k}" for k in range(len(repeat.pieces))]
        _write_calls(lines, function, f"r{r}", repeat.places, names)
        texts += [_written(name, rows, function, one, slots) for name, one in zip(names, repeat.pieces, strict=True)]
    _write_solutions(lines, function)
    head = f"define void @{function['name']}({signature(function)}, ptr %out) nounwind {{"
    return "\n".join([*texts, head, *lines.lines, "  ret void", "}"])


def _stores(rows: list[list], function: dict, groups: Sequence[int]) -> tuple[list[Store], list[int], int]:
    """The values that are not zero with their places, their groups, and the end of the matrices in the memory."""
    stores = [(output, k) for k, output in enumerate(function["outputs"]) if rows[output] != _ZERO_ROW]
    of_stores = [groups[k] for _, k in stores] if groups else []
    end = 0
    for system in function["systems"]:
        length = row_length(system)
        for i, row in enumerate(system["matrix"]):
            stores += [(node, ~(end + i * length + j)) for j, node in enumerate(row) if rows[node] != _ZERO_ROW]
        stores += [(node, system["offset"] + i) for i, node in enumerate(system["rhs"])]
        end += (len(system["rhs"]) + 1) * length
    return stores, of_stores + [-1] * (len(stores) - len(of_stores)), end


def _write_beginning(lines: Lines, rows: list[list], function: dict, memory: int, states: int) -> None:
    """The scratch memory, the copy of the state, and zeros."""
    lines.line(f"%s = alloca [{memory} x double], align {8 * WIDTH}")
    lines.line(f"%state = alloca [{states} x double], align {8 * WIDTH}")
    lines.line(f"call void @llvm.memcpy.p0.p0.i64(ptr %state, ptr %x, i64 {8 * states}, i1 false)")
    if any(rows[output] == _ZERO_ROW for output in function["outputs"]):
        lines.line(f"call void @llvm.memset.p0.i64(ptr %out, i8 0, i64 {8 * len(function['outputs'])}, i1 false)")
    matrices = sum((len(system["rhs"]) + 1) * row_length(system) for system in function["systems"])
    if matrices:
        lines.line(f"call void @llvm.memset.p0.i64(ptr %s, i8 0, i64 {8 * matrices}, i1 false)")


def _write_calls(lines: Lines, function: dict, label: str, places: int, names: Sequence[str]) -> None:
    """Call the pieces of a repeat: one for all places, several for one place after the other."""
    given = signature(function).replace("%x,", "%state,") + ", ptr %s, ptr %out"
    if len(names) == 1 or places == 1:
        for name in names:
            lines.line(f"call void {name}({given}, i64 0, i64 {places})")
        return
    lines.lines += [f"  br label %{label}.before", f"{label}.before:", f"  br label %{label}", f"{label}:"]
    lines.line(f"%{label}.i = phi i64 [ 0, %{label}.before ], [ %{label}.next, %{label} ]")
    lines.line(f"%{label}.next = add i64 %{label}.i, 1")
    for name in names:
        lines.line(f"call void {name}({given}, i64 %{label}.i, i64 %{label}.next)")
    lines.line(f"%{label}.more = icmp ult i64 %{label}.next, {places}")
    lines.lines += [f"  br i1 %{label}.more, label %{label}, label %{label}.after", f"{label}.after:"]


def _write_solutions(lines: Lines, function: dict) -> None:
    """Solve the linear systems whose matrices stand at the start of the memory."""
    start = 0
    for system in function["systems"]:
        n, length = len(system["rhs"]), row_length(system)
        if n:
            matrix, work = lines.entry("%s", start), lines.entry("%s", start + n * length)
            result = lines.entry("%out", system["offset"])
            lines.line(f"call void @ldl_solve(i64 {n}, i64 {length}, ptr {matrix}, ptr {work}, ptr {result})")
        start += (n + 1) * length


def _written(name: str, rows: list[list], function: dict, piece: Piece, slots: Mapping[int, int]) -> str:
    """A piece as a function of the inputs and a range of places."""
    row, lines = _Row(), Lines()
    names: dict[int, str] = {}
    known: dict[tuple[int, ...], str] = {}
    where = {position: i for i, position in enumerate(piece.nodes[0])}

    def value(column: tuple[int, ...]) -> str:
        if column[0] in where:
            return names[column[0]]
        if column not in known:
            known[column] = _loaded(lines, rows, row, column, slots)
        return known[column]

    def operand(position: int, slot: int) -> str:
        i = where[position]
        return value(tuple(rows[nodes[i]][1 + slot] for nodes in piece.nodes))

    write_nodes(lines, rows, piece.nodes[0], piece.nodes[0], names, operand)
    for column in zip(*piece.nodes, strict=True):
        if column[0] in slots:
            held = names[column[0]]
            if rows[column[0]][0] in CONDITIONS:
                held = lines.value(f"uitofp i1 {held} to double")
            lines.store(held, "%s", row.index(lines, [slots[position] for position in column]))
    for stores in zip(*piece.stores, strict=True):
        stored, places = zip(*stores, strict=True)
        array = "%out" if places[0] >= 0 else "%s"
        lines.store(value(stored), array, row.index(lines, [place if place >= 0 else ~place for place in places]))
    given = f"{signature(function)}, ptr noalias %s, ptr noalias %out, i64 %first, i64 %end"
    head = f"define internal void {name}({given}) noinline nounwind {{"
    if len(piece.nodes) == 1:
        return "\n".join([head, *lines.lines, "  ret void", "}"])
    return "\n".join([*row.tables(name), head, *row.start(name), *lines.lines, *_NEXT_PLACE, "}"])


class _Row:
    """The rows of a piece's tables, column by column, as its lines need them."""

    def __init__(self) -> None:
        self.indices: list[Sequence[int]] = []
        self.numbers: list[Sequence[float]] = []

    def index(self, lines: Lines, column: Sequence[int]) -> int | str:
        """An index that is loaded from the row if it is not the same in all places."""
        if len(set(column)) == 1:
            return column[0]
        self.indices.append(column)
        entry = lines.value(f"getelementptr inbounds i32, ptr %indices, i64 {len(self.indices) - 1}")
        return lines.value(f"zext i32 {lines.value(f'load i32, ptr {entry}')} to i64")

    def number(self, lines: Lines, column: Sequence[float]) -> str:
        """A constant that is loaded from the row if it is not the same in all places."""
        if len(set(column)) == 1:
            return literal(column[0])
        self.numbers.append(column)
        return lines.load("%numbers", len(self.numbers) - 1)

    def start(self, name: str) -> list[str]:
        """The beginning of a loop over the rows."""
        return [
            "  br label %place",
            "place:",
            "  %i = phi i64 [ %first, %0 ], [ %next, %place ]",
            f"  %index = mul i64 %i, {len(self.indices)}",
            f"  %number = mul i64 %i, {len(self.numbers)}",
            f"  %indices = getelementptr i32, ptr {f'{name}.indices' if self.indices else 'null'}, i64 %index",
            f"  %numbers = getelementptr double, ptr {f'{name}.numbers' if self.numbers else 'null'}, i64 %number",
        ]

    def tables(self, name: str) -> list[str]:
        """The tables as constants of the module."""
        tables = []
        if self.indices:
            entries = [f"i32 {index}" for row in zip(*self.indices, strict=True) for index in row]
            tables.append(f"{name}.indices = private constant [{len(entries)} x i32] [{', '.join(entries)}]")
        if self.numbers:
            entries = [f"double {literal(number)}" for row in zip(*self.numbers, strict=True) for number in row]
            tables.append(f"{name}.numbers = private constant [{len(entries)} x double] [{', '.join(entries)}]")
        return tables


def _loaded(lines: Lines, rows: list[list], row: _Row, column: Sequence[int], slots: Mapping[int, int]) -> str:
    """The value of a leaf or of a node of another piece, from its position in each place."""
    op, *args = rows[column[0]]
    if op == "const":
        return row.number(lines, [float.fromhex(rows[position][1]) for position in column])
    if op == "input":
        if args[0] == "t":
            return "%t"
        return lines.load(f"%{args[0]}", row.index(lines, [rows[position][2] for position in column]))
    if op in LEAVES:
        return op
    held = lines.load("%s", row.index(lines, [slots[position] for position in column]))
    return lines.compare("one", held, ZERO) if op in CONDITIONS else held
