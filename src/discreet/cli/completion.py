"""``discreet completion SHELL``: what a shell needs to complete commands and options."""

from typing import Final

import click

from discreet.cli import show

SHELLS: Final = ("bash", "zsh", "fish")
VARIABLE: Final = "_DISCREET_COMPLETE"
"""The variable by which click is asked for completions."""


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
@show.json_option
def completion(*, shell: str, json: bool) -> int:
    """Print what SHELL needs to complete commands and options.

    For bash: discreet completion bash > ~/.discreet-complete.bash, and in ~/.bashrc: source
    ~/.discreet-complete.bash. For zsh the same in ~/.zshrc. For fish: discreet completion fish >
    ~/.config/fish/completions/discreet.fish.
    """
    from click.shell_completion import get_completion_class

    from discreet.cli.root import root

    kind = get_completion_class(shell)
    if kind is None:  # pragma: no cover (click knows all of SHELLS)
        raise click.UsageError(f"there is no completion for {shell}")
    maker = kind(root, {}, "discreet", VARIABLE)
    # not source(): it would start bash to look at its version
    script = maker.source_template % maker.source_vars()
    if json:
        show.as_json({"shell": shell, "script": script})
    else:
        click.echo(script)
    return 0
