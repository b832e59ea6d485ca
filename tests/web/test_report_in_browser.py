"""The demo's report opened in a real browser: it renders, offline, in light and dark, on a phone and on paper."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from tests.web.png import read_png

from kohort.demo import write
from kohort.pipeline import make_release
from kohort.plan import Plan
from kohort.release.release import Release


@pytest.fixture(scope="module")
def browser() -> str:
    """The browser's command, or skip."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("no browser: install chromium (Debian: apt-get install chromium) to look at the report")
    return found


PICTURES = {"release": 6, "release.private": 8}
KEPT = {
    "release": "Kept: 3 of 4 checks are the holder's word",
    "release.private": "Kept, and verified on the files as written",
}


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the demo was released."""
    from kohort.algorithms import Silent

    place = tmp_path_factory.mktemp("demo")
    plan = Plan.load(write(place))
    assert plan.input.path is not None
    return (
        Release.verified(make_release(plan.base / plan.input.path, plan, Silent()))
        .save(place / "release")
        .parent
    )


@pytest.fixture(params=PICTURES)
def report(request: pytest.FixtureRequest, demo: Path) -> Path:
    """The public report of the demo, and the private one."""
    return demo / str(request.param) / "report.html"


def opened(browser: str, page: Path, place: Path, *options: str) -> str:
    """Open a page, with a profile of its own, and return what the browser prints."""
    done = subprocess.run(
        [
            browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
            "--disable-dev-shm-usage", "--hide-scrollbars", f"--user-data-dir={place / 'profile'}", *options, page.as_uri(),
        ],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    return done.stdout


def colours(browser: str, page: Path, place: Path, width: int, *options: str) -> np.ndarray:
    """Return the pixels of the first screen."""
    picture = place / "screen.png"
    opened(browser, page, place, f"--screenshot={picture}", f"--window-size={width},900", *options)
    return read_png(picture)


def test_the_page_says_its_promise_and_runs_nothing(browser: str, report: Path, tmp_path: Path) -> None:
    page = opened(browser, report, tmp_path, "--dump-dom")
    assert re.search(r"<h1>5-anonymity and distinct 3-diversity of diagnosis</h1>", page)
    assert KEPT[report.parent.name] in page
    assert "every class holds at least 5 people, so everybody shares theirs with at least 4 others." in page
    assert "<script" not in page
    assert page.count("<svg") >= PICTURES[report.parent.name]


def test_nothing_is_asked_from_the_network(browser: str, report: Path, tmp_path: Path) -> None:
    log = tmp_path / "net.json"
    opened(
        browser, report, tmp_path, "--dump-dom", f"--log-net-log={log}", "--net-log-capture-mode=Everything"
    )
    asked = re.findall(
        r'"url":"((?:https?|wss?)://[^"]+)"', log.read_text(encoding="utf-8", errors="replace")
    )
    ours = [url for url in asked if not re.search(r"google|gvt1|chrome|chromium|gstatic", url)]
    assert ours == []
    assert not re.findall(r'(?:src|href)="(?!#)', report.read_text(encoding="utf-8"))


def test_it_is_painted_in_light_and_in_dark(browser: str, report: Path, tmp_path: Path) -> None:
    light = colours(browser, report, tmp_path, 1000)
    dark = colours(browser, report, tmp_path, 1000, "--blink-settings=preferredColorScheme=0")
    for pixels in (light, dark):
        assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 50
    assert light.mean() > 200
    assert dark.mean() < 90


def test_it_fits_a_narrow_screen(browser: str, report: Path, tmp_path: Path) -> None:
    """The page is laid out in a frame of 400 pixels, and tells its width by a script of the frame's holder."""
    holder = tmp_path / "holder.html"
    page = re.sub(r"<meta http-equiv[^>]*>", "", report.read_text(encoding="utf-8"))
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    holder.write_text(
        '<iframe id="f" width="400" height="800" style="border:0" src="page.html"></iframe><p id="told"></p><script>'
        'onload=()=>{const d=document.getElementById("f").contentDocument.documentElement;'
        'document.getElementById("told").textContent="width "+d.scrollWidth+" of "+d.clientWidth}</script>',
        encoding="utf-8",
    )
    told = opened(browser, holder, tmp_path, "--dump-dom", "--allow-file-access-from-files")
    found = re.search(r"width (\d+) of (\d+)", told)
    assert found is not None
    assert int(found[1]) <= int(found[2])


def test_paper_shows_what_is_folded_away(browser: str, report: Path, tmp_path: Path) -> None:
    """Printed, the page is longer than it would be with its tables still folded."""

    def pages(source: str, name: str) -> int:
        (tmp_path / f"{name}.html").write_text(source, encoding="utf-8")
        target = tmp_path / f"{name}.pdf"
        opened(
            browser, tmp_path / f"{name}.html", tmp_path, f"--print-to-pdf={target}", "--no-pdf-header-footer"
        )
        return len(re.findall(rb"/Type\s*/Page\b", target.read_bytes()))

    told = report.read_text(encoding="utf-8")
    folded = re.sub(r"<details>.*?</details>", "", told, flags=re.DOTALL)
    assert pages(told, "whole") >= pages(folded, "folded") + 2
