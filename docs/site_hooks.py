"""What mkdocs does besides: the pages that stand outside docs/ become pages of the site, README.md its home.

Links between those and the pages in docs/ are right in the repository; here they are changed to what is right on the
site. So no text is kept twice.
"""

from __future__ import annotations

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
OUTSIDE = {path.name: path for path in ROOT.glob("*.md")}
HOME = "README.md"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages from outside; the menu need not name them."""
    for name, path in OUTSIDE.items():
        content = path.read_text(encoding="utf-8")
        files.append(File.generated(config, site_path(name), content=content, inclusion=InclusionLevel.NOT_IN_NAV))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Change the links of a page."""
    outside = page.file.src_uri in map(site_path, OUTSIDE)
    if outside:
        markdown = markdown.replace("](docs/", "](")
    for name in OUTSIDE:
        markdown = markdown.replace(f"]({name if outside else f'../{name}'}", f"]({site_path(name)}")
    return markdown


def site_path(name: str) -> str:
    """Where a page from outside stands on the site."""
    return "index.md" if name == HOME else name
