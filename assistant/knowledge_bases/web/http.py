"""The one way out for public knowledge bases, and for pages that the user names.

For knowledge bases it keeps to the hosts that were named. It asks at public addresses only, over https where they offer
it, and no faster than they like; leaves a host alone for a minute after a failure; keeps answers; and writes down every
request that leaves this machine. Whatever goes wrong is `KnowledgeBaseUnreachable`, never an empty answer.
"""

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urljoin, urlsplit

import requests

from assistant import __version__
from assistant.errors import KnowledgeBaseAway, KnowledgeBaseUnreachable, SettingsError
from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.web.connecting import CONNECT_SECONDS, InTime
from assistant.knowledge_bases.web.exchange import LATE, Answer, Session, TooLarge, broke_off, read_body, reason_of
from assistant.knowledge_bases.web.host import REST_SECONDS, Host
from assistant.knowledge_bases.web.outbound import outbound
from assistant.knowledge_bases.web.response_cache import ResponseCache

_MAX_REDIRECTS = 3
_RETRY_AFTER_SECONDS = (0.5, 1.0)
# A host that had less time than this is not to blame for being late.
_FAIR_SECONDS = 1.0
_OVERTAXED = {500, 504}  # what services answer to a query that took too long, and to one that broke them
_LESS = "ask for less at once"
_MOST_LATE = 2  # requests in a row; a host that answers none of them is not only asked for too much
# Seconds between requests and requests at once, where the user's own server is asked.
_OWN_PACE = (0.0, 4)
_WEB = "the web"  # what pages are from, in messages and in the log
_REDIRECTS = {301, 302, 303, 307, 308}

_Found = TypeVar("_Found")


@dataclass(frozen=True, slots=True)
class Page:
    """What lies at an address; `content_type` without parameters, as in "text/html"."""

    content_type: str
    body: bytes


@dataclass(frozen=True, slots=True)
class _Way:
    """Which hosts may be asked (an address and who asks give the host, or raise), over which connections, and whether
    the request may be more than a host can do: what then fails is the request, and alone no sign that the host is
    broken."""

    admitted: Callable[[str, str], Host]
    session: requests.Session
    costly: bool = False


class BadRequest(KnowledgeBaseUnreachable):
    """The request itself is wrong, or more than the host can do; `said` tells why, in one line."""

    def __init__(self, kb: str, said: str) -> None:
        super().__init__(kb, f"{kb} could not make sense of the request: {said}")
        self.said = said


class Http:
    """GET for JSON, with manners. One for all public knowledge bases of a process; safe for several threads."""

    def __init__(self, contact: str, home: Path) -> None:
        if not (contact.isascii() and contact.isprintable()):
            raise SettingsError("LOREKEEPER_CONTACT must be an e-mail or web address in plain ASCII characters.")
        # Wikimedia slows down clients that do not say who runs them; these two are what it asks of each.
        self._pace = (0.1, 3) if contact else (1.0, 1)
        self._hosts: dict[str, Host] = {}
        self._private: Counter[str] = Counter()  # how often each was allowed
        self._asked_for: dict[str, set[Host]] = {}
        self._lock = threading.Lock()
        self._cache = ResponseCache(home / "answers.db")
        user_agent = f"Lorekeeper/{__version__}" + (f" ({contact})" if contact else "")
        json_types = "application/sparql-results+json, application/json"
        self._session = Session(user_agent, json_types)
        self._private_session = Session(user_agent, json_types, InTime)
        self._page_session = Session(user_agent, "text/html, text/plain, */*;q=0.8")
        self._page_hosts: dict[str, Host] = {}

    def allow(self, host: str, *, private: bool = False, plain: bool = False) -> None:
        """Let `host` (with its port, where the address has one) be asked, over https and at a public address.

        A `plain` host may also be asked over http, since it offers nothing else. A `private` one may besides be at any
        address, as a server on this machine or in this house is; nobody else's redirect is followed there.
        """
        with self._lock:
            self._private[host] += private
            if host not in self._hosts:
                pace = _OWN_PACE if private else self._pace
                self._hosts[host] = Host(host, *pace, private=private, plain=plain)

    def disallow(self, host: str) -> None:
        """Take back one `allow` of a private host; it is asked as long as there is another."""
        with self._lock:
            self._private[host] -= 1
            if not self._private[host] and self._hosts[host].private:
                gone = self._hosts.pop(host)
                for asked in self._asked_for.values():
                    asked.discard(gone)

    def get_json(
        self,
        url: str,
        params: Mapping[str, str | int],
        deadline: Deadline,
        kb: str,
        reader: Callable[[Any], _Found],
        *,
        fresh: bool = False,
        costly: bool = False,
    ) -> _Found:
        """What `reader` reads in the JSON at `url` with `params`, from the last days' answers where it is there; not so
        a `fresh` one.

        Only what `reader` can read is kept; else it raises `KnowledgeBaseUnreachable`. A `costly` request may be more
        than the host can do: it is not sent again, and only the second in a row without an answer in time keeps others
        from being sent.

        Raises:
            BadRequest: the host says that it was asked wrongly, or cannot do what is `costly`.
            KnowledgeBaseUnreachable: there is no usable answer; the message says why, and until when the host is left
                alone.
        """
        asked = requests.Request("GET", url, params=dict(params)).prepare().url or url
        kept = None if fresh else self._cache.get(asked)
        way = _Way(self._allowed, self._session, costly)
        body = self._follow(asked, deadline, kb, way).body if kept is None else kept
        try:
            reply = json.loads(body)
        except (ValueError, RecursionError):
            raise KnowledgeBaseUnreachable(kb, f"{kb} sent a reply that is not valid JSON; try again later.") from None
        found = reader(reply)
        if kept is None and not fresh:
            self._cache.put(asked, body)
        return found

    def get_page(self, url: str, deadline: Deadline) -> Page:
        """What lies at any public address now; nothing is kept.

        Raises:
            KnowledgeBaseUnreachable: nothing came; the message says why.
        """
        answer = self._follow(_joined(url), deadline, _WEB, _Way(self._page_host, self._page_session))
        content_type = answer.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        return Page(content_type, answer.body)

    def forget_answers(self) -> None:
        """Let go of all kept answers; what they were asked for cannot be told from them."""
        self._cache.clear()

    def trouble(self, kb: str) -> str:
        """Why a host of the knowledge base is left alone and until when, in words; empty where all is well."""
        with self._lock:
            hosts = list(self._asked_for.get(kb, ()))
        return next((f"{host.name}: {rest}" for host in hosts if (rest := host.rest())), "")

    def offline(self, kb: str) -> bool:
        """Whether a host of the knowledge base is left alone because it could not be reached."""
        with self._lock:
            return any(host.offline for host in self._asked_for.get(kb, ()))

    def look_again(self, kb: str) -> None:
        """Find out in the background whether hosts of the knowledge base that could not be reached can be by now.

        No question is sent for that, and no host is tried more often than every quarter of a minute.
        """
        with self._lock:
            due = [(host, root) for host in self._asked_for.get(kb, ()) if (root := host.root_to_try())]
        for host, root in due:
            threading.Thread(target=self._try, args=(kb, host, root), name="look-again", daemon=True).start()

    def _try(self, kb: str, host: Host, root: str) -> None:
        session = self._private_session if host.private else self._session
        outcome = "reached again"
        try:
            session.head(root, timeout=CONNECT_SECONDS, proxies={"no_proxy": "*"} if host.private else None)
            host.welcome()
        except requests.RequestException as error:
            outcome = reason_of(error)
            host.leave_alone(outcome, root=root)
        finally:
            outbound.info("%s HEAD %s: %s", kb, root, outcome)

    def close(self) -> None:
        """Close all connections and the kept answers; may be called twice."""
        for session in (self._session, self._private_session, self._page_session):
            session.close()
        self._cache.close()

    def _follow(self, url: str, deadline: Deadline, kb: str, way: _Way) -> Answer:
        """Ask, and ask again where a redirect leads; each address is checked like the first."""
        came_from: Host | None = None
        for _ in range(1 + _MAX_REDIRECTS):
            host = way.admitted(url, kb)
            if host.private and came_from not in (None, host):
                raise _not_allowed(url, kb)
            came_from = host
            answer = self._ask(way, host, url, deadline, kb)
            if answer.status == 200:
                return answer
            if answer.status == 400:
                raise BadRequest(kb, answer.first_line)
            if answer.status not in _REDIRECTS:
                raise KnowledgeBaseUnreachable(kb, f"{kb} answered with status {answer.status}; try again later.")
            url = _joined(url, answer.headers.get("Location", ""))
        raise KnowledgeBaseUnreachable(kb, f"{kb} redirects in circles; try again later.")

    def _allowed(self, url: str, kb: str) -> Host:
        parts = urlsplit(url)
        host = self._hosts.get(parts.netloc)
        if host is None or not (parts.scheme == "https" or (parts.scheme == "http" and (host.plain or host.private))):
            raise _not_allowed(url, kb)
        with self._lock:
            self._asked_for.setdefault(kb, set()).add(host)
        return host

    def _page_host(self, url: str, kb: str) -> Host:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise KnowledgeBaseUnreachable(kb, f"{kb} leads to {url[:80] or 'no address'}, which cannot be fetched.")
        with self._lock:
            return self._page_hosts.setdefault(parts.netloc, Host(parts.netloc, *self._pace))

    def _ask(self, way: _Way, host: Host, url: str, deadline: Deadline, kb: str) -> Answer:
        """One answer, after retries where the host is busy or broken; else it is left alone for a while."""
        reason, rest_seconds = "", REST_SECONDS
        for pause in (*_RETRY_AFTER_SECONDS, None):
            with host.admitted(deadline, kb):
                answer = self._send(way, host, url, deadline, kb)
            if answer is not None and not answer.worth_a_retry:
                return answer
            wanted = None if answer is None else answer.retry_after_seconds
            reason = "it broke the connection" if answer is None else f"status {answer.status}"
            rest_seconds = max(REST_SECONDS, wanted or 0.0)
            wait = pause if wanted is None else wanted
            if pause is None or wait is None or wait >= deadline.remaining:
                break
            host.postpone(wait)
        host.leave_alone(reason, rest_seconds)
        raise KnowledgeBaseAway(kb, f"{kb} ({host.name}) does not answer: {host.rest()}.")

    def _send(self, way: _Way, host: Host, url: str, deadline: Deadline, kb: str) -> Answer | None:
        """Send one request; None where a kept connection broke, which a new one may cure."""
        began, given = time.monotonic(), deadline.remaining
        outcome = "failed"
        try:
            with (self._private_session if host.private else way.session).get(
                url,
                stream=True,
                timeout=(CONNECT_SECONDS, max(given, 0.05)),
                proxies={"no_proxy": "*"} if host.private else None,
            ) as response:
                body = read_body(response, deadline)
                host.late = 0
                outcome = f"{response.status_code}, {len(body)} bytes"
                if way.costly and response.status_code in _OVERTAXED:
                    raise BadRequest(kb, f"it broke off there (status {response.status_code}); {_LESS}.")
                return Answer(response.status_code, response.headers, body)
        except TooLarge as error:
            outcome = str(error)
            if way.costly:
                raise BadRequest(kb, f"it sent {error}; {_LESS}.") from error
            raise KnowledgeBaseUnreachable(kb, f"{kb} sent {error}.") from error
        except requests.RequestException as error:
            outcome = reason = reason_of(error)
            if broke_off(error):
                return None
            if reason == LATE and (given < _FAIR_SECONDS or deadline.is_off):
                raise KnowledgeBaseUnreachable(kb, f"{kb} ({host.name}) had no time left to answer.") from error
            host.late += reason == LATE
            if way.costly and reason == LATE and host.late < _MOST_LATE:
                raise BadRequest(kb, f"it took longer than {given:.0f} s; {_LESS}.") from error
            host.leave_alone(reason, root="" if reason == LATE else _joined(url, "/"))
            raise KnowledgeBaseAway(kb, f"{kb} ({host.name}) does not answer: {host.rest()}.") from error
        finally:
            outbound.info("%s GET %s: %s, %.2f s", kb, url, outcome, time.monotonic() - began)


def _not_allowed(url: str, kb: str) -> KnowledgeBaseUnreachable:
    parts = urlsplit(url)
    where = f"{parts.scheme}://{parts.netloc}"
    return KnowledgeBaseUnreachable(kb, f"{kb} leads to {where}, which is not on the list of allowed hosts.")


def _joined(url: str, location: str = "") -> str:
    """Where a redirect leads, or `url` itself; empty, and so on no list, where that is no address."""
    try:
        return urlsplit(urljoin(url, location)).geturl()
    except ValueError:
        return ""
