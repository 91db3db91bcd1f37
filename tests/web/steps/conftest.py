from typing import Any

import pytest


@pytest.fixture
def baskets(workspace: Any) -> Any:
    """A project with sets."""
    project = workspace.new("a", "data.csv")
    rows = [
        f"{person},{item}"
        for person in range(60)
        for item in (("beer", "red wine"), ("tea",), ("beer", "tea", "bread"))[person % 3]
    ]
    project.data.write_text("\n".join(["id,item", *rows]) + "\n")
    project.choose(kind="sets")
    return project
