"""Functions in pieces of bounded size, as LLVM IR: what repeats is a loop over the rows of a table.

A piece is a function of the inputs, of a scratch memory on the stack, where the values that other pieces use are
stored, and of the places that it is called for. A table has a row for each: the indices of inputs and outputs, and the
constants, that are not the same in all places. Outputs that are zero are set first, all at once. The state is copied,
because the result may overwrite it.

A function whose outputs have groups has a second form, with a whole number for each group as last argument: places of
groups whose number is zero are passed over, and their outputs keep what is there. What several groups need is computed
in any case, as are groups with operations that no other one has. Outputs that are always zero are not written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sympact.graph.code.ldl import WIDTH
from sympact.graph.code.lines import ZERO, Lines, literal
from sympact.graph.code.pieces import Piece, Repeat, Store, in_pieces, negated_products, ordered, saved
from sympact.graph.code.straight import row_length, signature, write_nodes
from sympact.graph.nodes.operations import CONDITIONS, LEAVES

__all__ = ["CHOSEN", "function_in_pieces"]

CHOSEN = ".chosen"
"""The end of the name of the form of a function that computes chosen groups."""

_SIZE = 250  # nodes of a piece; 500 and more cost up to half as much again to compile, and run no faster
_ZERO_ROW = ["const", (0.0).hex()]
_NEXT_PLACE = """\
  br label %after
after:
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
    _write_beginning(lines, rows, function, end, states, chooses=bool(groups))
    for r, repeat in enumerate(repeats):
        repeat.groups = repeat.groups if groups else ()
        names = [f"@{function['name']}.{r}.{k}" for k in range(len(repeat.pieces))]
        _write_calls(lines, function, f"r{r}", repeat, names)
        texts += [
            _written(name, rows, function, one, slots, repeat.groups)
            for name, one in zip(names, repeat.pieces, strict=True)
        ]
    _write_solutions(lines, function)
    given = f"{signature(function)}, ptr %out"
    if not groups:
        head = f"define void @{function['name']}({given}) nounwind {{"
        return "\n".join([*texts, head, *lines.lines, "  ret void", "}"])
    head = f"define void @{function['name']}{CHOSEN}({given}, ptr %chosen) nounwind {{"
    whole = f"define void @{function['name']}({given}) nounwind {{"
    call = f"  call void @{function['name']}{CHOSEN}({given}, ptr null)"
    return "\n".join([*texts, head, *lines.lines, "  ret void", "}", whole, call, "  ret void", "}"])


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


def _write_beginning(
    lines: Lines, rows: list[list], function: dict, memory: int, states: int, *, chooses: bool
) -> None:
    """The scratch memory, the copy of the state, and zeros, but where groups are chosen."""
    lines.line(f"%s = alloca [{memory} x double], align {8 * WIDTH}")
    lines.line(f"%state = alloca [{states} x double], align {8 * WIDTH}")
    lines.line(f"call void @llvm.memcpy.p0.p0.i64(ptr %state, ptr %x, i64 {8 * states}, i1 false)")
    if any(rows[output] == _ZERO_ROW for output in function["outputs"]):
        size = f"{8 * len(function['outputs'])}"
        if chooses:
            size = lines.value(f"select i1 {lines.value('icmp eq ptr %chosen, null')}, i64 {size}, i64 0")
        lines.line(f"call void @llvm.memset.p0.i64(ptr %out, i8 0, i64 {size}, i1 false)")
    matrices = sum((len(system["rhs"]) + 1) * row_length(system) for system in function["systems"])
    if matrices:
        lines.line(f"call void @llvm.memset.p0.i64(ptr %s, i8 0, i64 {8 * matrices}, i1 false)")


def _write_calls(lines: Lines, function: dict, label: str, repeat: Repeat, names: Sequence[str]) -> None:
    """Call the pieces of a repeat: one for all places, several for one place after the other."""
    given = signature(function).replace("%x,", "%state,") + ", ptr %s, ptr %out"
    given, places = given + (", ptr %chosen" if repeat.groups else ""), repeat.places
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


def _written(
    name: str, rows: list[list], function: dict, piece: Piece, slots: Mapping[int, int], groups: Sequence[int]
) -> str:
    """A piece as a function of the inputs and a range of places, which are those of `groups`, where these are known."""
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
    given = f"{signature(function)}, ptr noalias %s, ptr noalias %out"
    given += ", ptr %chosen, i64 %first, i64 %end" if groups else ", i64 %first, i64 %end"
    head = f"define internal void {name}({given}) noinline nounwind {{"
    if len(piece.nodes) == 1:
        return "\n".join([head, *lines.lines, "  ret void", "}"])
    tables = [*row.tables(name), *_group_table(name, groups)]
    return "\n".join([*tables, head, *row.start(name, _choice(name, groups)), *lines.lines, *_NEXT_PLACE, "}"])


def _group_table(name: str, groups: Sequence[int]) -> list[str]:
    """The groups of places as a constant of the module."""
    entries = ", ".join(f"i32 {group}" for group in groups)
    return [f"{name}.groups = private constant [{len(groups)} x i32] [{entries}]"] if groups else []


def _choice(name: str, groups: Sequence[int]) -> list[str]:
    """Pass over places whose group is not chosen."""
    if not groups:
        return []
    return [
        "  br i1 %all, label %here, label %look",
        "look:",
        f"  %entry = getelementptr i32, ptr {name}.groups, i64 %i",
        "  %group = load i32, ptr %entry",
        "  %flag = getelementptr i64, ptr %chosen, i32 %group",
        "  %chosen.here = load i64, ptr %flag",
        "  %on = icmp ne i64 %chosen.here, 0",
        "  br i1 %on, label %here, label %after",
        "here:",
    ]


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

    def start(self, name: str, choice: Sequence[str]) -> list[str]:
        """The beginning of a loop over the rows, with the lines that pass over some."""
        return [
            *(["  %all = icmp eq ptr %chosen, null"] if choice else []),
            "  br label %place",
            "place:",
            "  %i = phi i64 [ %first, %0 ], [ %next, %after ]",
            *choice,
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
