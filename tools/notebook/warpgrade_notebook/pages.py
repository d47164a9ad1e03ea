"""What is shown below a cell, as HTML. Everything that programs print is escaped."""

from html import escape


def _pre(text):
    return f'<pre style="white-space:pre-wrap">{escape(text)}</pre>' if text.strip() else ""


def _line(cell, number):
    lines = cell.splitlines()
    return lines[number - 1].strip() if 0 < number <= len(lines) else ""


def _problem(cell, problem):
    """@param problem  a finding of warpsim's report or of `check --format json`"""
    page = f", {escape(problem['pitfall'])}" if problem.get("pitfall") else ""
    rows = "".join(f"<tr><th style='text-align:left'>{name}</th><td style='text-align:left'>"
                   f"{escape(str(problem[name]))}</td></tr>"
                   for name in ("where", "who", "got", "want", "next") if problem.get(name))
    source = _line(cell, problem.get("line", 0))
    shown = f"<pre>{problem['line']}: {escape(source)}</pre>" if source else ""
    return (f"<details><summary><b>{escape(problem['severity'])}</b> in line {problem.get('line', 0)}: "
            f"{escape(problem['message'])} [{escape(problem['kind'])}{page}]</summary>{shown}<table>{rows}</table>"
            "</details>")


def failed_build(log):
    return f"<p><b>It does not compile.</b></p>{_pre(log)}"


def program_run(cell, ran, findings):
    ended = "" if ran.returncode == 0 else f"<p>Exit code {ran.returncode}.</p>"
    count = f"<p>{len(findings)} finding{'s' if len(findings) != 1 else ''}:</p>" if findings else \
        "<p>The checks found nothing.</p>"
    return _pre(ran.stdout) + _pre(ran.stderr) + ended + count + "".join(_problem(cell, f) for f in findings)


def checked(cell, report, notes):
    points = f"{report['score']:g} of {report['max_score']:g} points"
    return (f"<p><b>{escape(report['lab'])}: {points}.</b> {escape(report['headline'])}</p>{_pre(notes)}"
            + "".join(_problem(cell, problem) for problem in report["diagnostics"]))


def framed(page, notes):
    return (f"{_pre(notes)}<iframe srcdoc=\"{escape(page)}\" sandbox='allow-scripts' "
            "style='width:100%;height:600px;border:1px solid #ccc'></iframe>")
