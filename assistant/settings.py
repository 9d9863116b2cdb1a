"""Settings, read once from the environment; nothing else reads it."""

import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

import platformdirs

from assistant.errors import SettingsError
from assistant.messages.catalogues import ENGLISH
from assistant.messages.languages import ours
from assistant.types import Size

OwnKnowledge = Literal["never", "marked", "free"]
Choice = TypeVar("Choice")

DEFAULT_USER = "me"  # whoever sits at this machine, on the page and on the command line
DELTA = 0.1  # the bandit's
_LONGEST_PASSWORD = 1024  # bytes
_LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")  # in the system's order
_TRUE, _FALSE = {"1", "true", "yes", "on"}, {"0", "false", "no", "off"}
_SIZES: Mapping[str, Size] = {"small": "small", "capable": "capable"}
_OWN_KNOWLEDGE: Mapping[str, OwnKnowledge] = {
    "never": "never",
    "marked": "marked",
    "free": "free",
    **dict.fromkeys(_TRUE, "marked"),
    **dict.fromkeys(_FALSE, "never"),
}


@dataclass(frozen=True, slots=True)
class Settings:
    """What the operator can set; the README has a table of it that a test compares with this class.

    `profile` and `own_knowledge` are None where the operator leaves them to what the model at hand can do.
    """

    home: Path
    cache: Path
    api_key: str
    base_url: str
    model: str
    profile: Size | None
    embeddings: str
    public_knowledge_bases: bool
    own_knowledge: OwnKnowledge | None
    fetch: bool
    watch: tuple[Path, ...]
    delta: float
    contact: str
    password: str
    proxies: tuple[str, ...]

    @property
    def remote_model(self) -> bool:
        """Whether a key or an address was given, so that no embedded model is needed."""
        return bool(self.api_key or self.base_url)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> "Settings":
        """Read and check all settings.

        Raises:
            SettingsError: a value cannot be used; the message names the variable.
        """
        env = os.environ if environment is None else environment
        home = Path(env.get("LOREKEEPER_HOME") or "~/.lorekeeper").expanduser()
        return cls(
            home=home.absolute(),
            cache=Path(platformdirs.user_cache_dir("lorekeeper")),
            api_key=env.get("OPENAI_API_KEY", "").strip(),
            base_url=env.get("OPENAI_BASE_URL", "").strip(),
            model=env.get("LOREKEEPER_MODEL", "").strip(),
            profile=_one_of(env, "LOREKEEPER_PROFILE", _SIZES, "small, capable"),
            embeddings=env.get("LOREKEEPER_EMBEDDINGS", "").strip(),
            public_knowledge_bases=_switch(env, "LOREKEEPER_PUBLIC", default=True),
            own_knowledge=_one_of(env, "LOREKEEPER_OWN_KNOWLEDGE", _OWN_KNOWLEDGE, "never, marked, free"),
            fetch=_switch(env, "LOREKEEPER_FETCH", default=False),
            watch=tuple(
                Path(one).expanduser().absolute() for one in env.get("LOREKEEPER_WATCH", "").split(os.pathsep) if one
            ),
            delta=_probability(env, "LOREKEEPER_DELTA", default=DELTA),
            contact=env.get("LOREKEEPER_CONTACT", "").strip(),
            password=_password(env, "LOREKEEPER_PASSWORD"),
            proxies=_addresses(env, "LOREKEEPER_PROXIES"),
        )


def environment_language(environment: Mapping[str, str] | None = None) -> str:
    """The language of the command line, by the variables that say it for every program."""
    env = os.environ if environment is None else environment
    locale = next(filter(None, map(env.get, _LOCALE_VARIABLES)), "C")
    if locale.partition(".")[0] in ("C", "POSIX"):  # for programs that read what others say
        return ENGLISH
    wanted = [name for name in env.get("LANGUAGE", "").split(":") if ours(name) != ENGLISH or name[:2] == ENGLISH]
    return ours(next(iter(wanted), locale))


def _switch(env: Mapping[str, str], name: str, *, default: bool) -> bool:
    value = env.get(name, "").strip().lower()
    if not value:
        return default
    if value in _TRUE | _FALSE:
        return value in _TRUE
    raise SettingsError("{name} is “{value}”; set it to on or off.", name=name, value=value)


def _one_of(env: Mapping[str, str], name: str, choices: Mapping[str, Choice], known: str) -> Choice | None:
    value = env.get(name, "").strip().lower()
    if value and value not in choices:
        raise SettingsError("{name} is “{value}”; set it to one of {known}.", name=name, value=value, known=known)
    return choices[value] if value else None


def _probability(env: Mapping[str, str], name: str, *, default: float) -> float:
    value = env.get(name, "").strip()
    try:
        number = float(value) if value else default
    except ValueError:
        number = 0.0
    if 0 < number <= 1:
        return number
    raise SettingsError("{name} is “{value}”; set it to a number above 0 and up to 1.", name=name, value=value)


def _password(env: Mapping[str, str], name: str) -> str:
    value = env.get(name)
    if value is None:
        return ""
    if not value.strip():
        raise SettingsError(
            "{name} is blank, which protects nothing; set it to a password, or do not set it at all.", name=name
        )
    sent = value.encode(errors="replace")
    if sent.decode() != value or len(value.splitlines()) > 1 or len(sent) > _LONGEST_PASSWORD:
        raise SettingsError(
            "{name} cannot be typed into a browser; set it to one line of UTF-8 of up to {most} bytes.",
            name=name,
            most=_LONGEST_PASSWORD,
        )
    return value


def _listed(env: Mapping[str, str], name: str) -> list[str]:
    return [one for one in env.get(name, "").split(os.pathsep) if one.strip()]


def _addresses(env: Mapping[str, str], name: str) -> tuple[str, ...]:
    found = tuple(env.get(name, "").replace(",", " ").split())
    for one in found:
        try:
            ipaddress.ip_network(one)
        except ValueError:
            raise SettingsError(
                "{name} has “{value}”; set it to addresses or networks, such as 127.0.0.1 or 10.0.0.0/24.",
                name=name,
                value=one,
            ) from None
    return found
