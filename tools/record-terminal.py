#!/usr/bin/env python3
"""Records commands in a terminal of 80 columns as an animated SVG.

usage: tools/record-terminal.py OUT.svg [--dir DIR] COMMAND...

Each COMMAND runs in bash in a pseudo-terminal, and its real output is drawn as it came. One that
ends with '^C after N' is interrupted by Ctrl-C after N seconds. Needs Python 3 alone.
"""

import html
import os
import pty
import re
import select
import signal
import sys
import time

COLUMNS, WIDTH, HEIGHT = 80, 8.4, 20
FRAME = 0.25  # seconds between two frames at least
TYPING = 0.8  # seconds in which a command appears


class Screen:
    """What a terminal shows: lines, carriage returns, and erasing to the end of a line."""

    def __init__(self):
        self.lines, self.column = [""], 0

    def feed(self, text):
        for part in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|[\r\n]|[^\x1b\r\n]+", text):
            line = self.lines[-1]
            if part == "\r":
                self.column = 0
            elif part == "\n":
                self.lines.append("")
                self.column = 0
            elif part == "\x1b[K":
                self.lines[-1] = line[: self.column]
            elif not part.startswith("\x1b"):
                self.lines[-1] = line[: self.column].ljust(self.column) + part + line[self.column + len(part) :]
                self.column += len(part)

    def wrapped(self):
        rows = []
        for line in self.lines:
            line = line.rstrip()
            rows += [line[i : i + COLUMNS] for i in range(0, max(len(line), 1), COLUMNS)]
        return rows


def run(command, folder, screen, show):
    """Runs a command, and calls show with the seconds since its start after each output."""
    interrupt = re.search(r"\s*\^C after ([0-9.]+)$", command)
    typed = command[: interrupt.start()] if interrupt else command
    screen.feed("$ " + typed)
    show(TYPING)
    screen.feed("\n")
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.environ.update(COLUMNS=str(COLUMNS), TERM="xterm")
        os.execvp("bash", ["bash", "-c", "stty cols %d -echoctl; exec %s" % (COLUMNS, typed)])
    began = last = time.monotonic()
    pending = interrupt is not None
    while True:
        wait = max(0, began + float(interrupt.group(1)) - time.monotonic()) if pending else 5
        ready = select.select([terminal], [], [], wait)[0]
        if not ready and pending:
            screen.feed("^C")
            os.kill(child, signal.SIGINT)
            pending = False
            continue
        try:
            data = os.read(terminal, 65536) if ready else None
        except OSError:  # the command has ended
            break
        if data is None:
            continue
        screen.feed(data.decode())
        now = time.monotonic()
        if now - last >= FRAME:
            show(now - last)
            last = now
    os.waitpid(child, 0)
    show(max(time.monotonic() - last, 0.1))
    if screen.lines[-1]:
        screen.feed("\n")


def draw(frames, out):
    """Writes frames, each with the seconds that it stays."""
    frames[-1] = (frames[-1][0], 4)
    total = sum(seconds for _, seconds in frames)
    rows = max(len(lines) for lines, _ in frames)
    width, height = COLUMNS * WIDTH + 24, rows * HEIGHT + 24
    style, body, at, known = [], [], 0.0, {}
    for number, (lines, seconds) in enumerate(frames):
        begin, end = 100 * at / total, 100 * (at + seconds) / total
        at += seconds
        style.append(
            "@keyframes f%d{0%%,%.2f%%{visibility:hidden}%.2f%%,%.2f%%{visibility:visible}%.2f%%,100%%{visibility:hidden}}"
            % (number, begin - 0.01 if begin else 0, begin, end - 0.01, min(end, 100))
            if number
            else "@keyframes f0{0%%,%.2f%%{visibility:visible}%.2f%%,100%%{visibility:hidden}}" % (end - 0.01, end)
        )
        body.append('<g style="animation:f%d %.1fs step-end infinite%s">' % (number, total, "" if number == len(frames) - 1 else ";visibility:hidden"))
        for row, line in enumerate(lines):
            if line:
                key = (row, line)
                if key not in known:
                    known[key] = "t%d" % len(known)
                    text = '<text id="%s" y="%d"%s>%s</text>' % (
                        known[key], row * HEIGHT, ' class="c"' if line.startswith("$ ") else "", html.escape(line))
                    body.append(text)
                else:
                    body.append('<use href="#%s"/>' % known[key])
        body.append("</g>")
    with open(out, "w") as file:
        file.write(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="%s">\n'
            % (width, height, html.escape("; ".join(l for l in frames[-1][0] if l), quote=True))
            + "<style>text{font:14px ui-monospace,Menlo,Consolas,monospace;fill:#d6dbe1;white-space:pre}.c{fill:#fff;font-weight:bold}%s</style>\n"
            % "".join(style)
            + '<rect width="100%" height="100%" rx="6" fill="#1b1f24"/>\n<g transform="translate(12 26)">\n'
            + "\n".join(body)
            + "\n</g>\n</svg>\n"
        )


def main(arguments):
    out, arguments = arguments[0], arguments[1:]
    folder = "."
    if arguments[0] == "--dir":
        folder, arguments = arguments[1], arguments[2:]
    screen, frames = Screen(), []

    def show(seconds):
        lines = screen.wrapped()
        if frames and frames[-1][0] == lines:
            frames[-1] = (lines, frames[-1][1] + seconds)
        else:
            frames.append((lines, seconds))

    for command in arguments:
        run(command, folder, screen, show)
    draw(frames, out)


if len(sys.argv) < 3:
    sys.exit(__doc__)
main(sys.argv[1:])
