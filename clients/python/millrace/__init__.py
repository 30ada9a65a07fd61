"""Client of Millrace: asks for reports, waits for them, and reads their rows.

    client = millrace.Client(key, "https://reports.example.com")
    for row in client.run("demographics", domains=["amber-bank.example"], ...):
        print(row)

Every call has a timeout, and is repeated while the service is unavailable. A client may be shared
by threads. Answers are the service's JSON as it is; every error is a `MillraceError`.
"""

from __future__ import annotations

import base64
import binascii
import csv
import errno
import gzip
import hashlib
import hmac
import http.client
import io
import json
import os
import pathlib
import re
import shutil
import socket
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from datetime import datetime, timezone
from typing import Any, BinaryIO, Callable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Union

__version__ = "0.3.0.dev0"
__all__ = [
    "Client",
    "DownloadError",
    "Event",
    "MillraceError",
    "NoAnswerError",
    "Report",
    "ReportError",
    "ServiceError",
    "WaitTimeoutError",
    "WebhookError",
    "verify_webhook",
]

JsonObject = Mapping[str, Any]

_ENDED = {"complete", "completed", "internal_error"}
#: Status codes with which the service, or a proxy before it, refuses for now.
_UNAVAILABLE = {429, 502, 503, 504}
_POLICY = re.compile('"([a-z-]+)";q=([1-9][0-9]{0,8});w=([0-9]{1,9})')
_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 10.0
_HOLD = 20.0
"""Seconds for which the service may hold the answer to a wait, if it has no news."""
#: The feed sends a line at least every 15 seconds.
_FEED_TIMEOUT = 45.0
_CHUNK = 64 * 1024
#: Bytes of an answer, or of an event, that are kept in memory at most. Files are not among them.
_MOST_BYTES = 64 * 1024 * 1024


class MillraceError(Exception):
    """Base of all errors.

    errors: sentences that say what is wrong. status: of the HTTP answer, where there is one.
    retryable: whether the same call may succeed later. report_id: of the report, where it is known.
    code: which kind of error it is, for programs, of the answer or of the report. request_id: the
    service's id of the request, for its support. Older services have neither.
    idempotency_key: of the submission, which can be repeated with it.
    """

    def __init__(
        self,
        errors: Sequence[str],
        *,
        status: Optional[int] = None,
        retryable: bool = False,
        report_id: Optional[str] = None,
        code: Optional[str] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(" ".join(errors) + (f" (request id {request_id})" if request_id else ""))
        self.errors = list(errors)
        self.status = status
        self.retryable = retryable
        self.report_id = report_id
        self.code = code
        self.request_id = request_id
        self.retry_after = retry_after
        self.idempotency_key: Optional[str] = None
        # Whether the request may have been carried out all the same.
        self._ambiguous = False


class ServiceError(MillraceError):
    """The service refused the call: status and errors are its answer."""


class NoAnswerError(MillraceError):
    """The service could not be reached, or the connection broke, for longer than retry_for."""


class ReportError(MillraceError):
    """The report failed, or was cancelled: code says why, retryable whether `retry` is accepted."""


class WaitTimeoutError(MillraceError):
    """The report was not ready in time. It goes on."""


class DownloadError(MillraceError):
    """The file is not the one that the status describes, is gone, or has no rows to read."""


class WebhookError(MillraceError):
    """The webhook is not one that the service sent now."""


class Event(NamedTuple):
    """An event of the feed. Give the position to `events` to go on after it."""

    position: Optional[str]
    type: str
    data: Any


class Client:
    """Calls the service with a batch key.

    timeout: seconds within which an answer must have come; of files and feeds, the seconds without
    a byte. retry_for: for how many seconds a call is repeated that finds the service unavailable.
    """

    def __init__(self, key: str, base_url: str, *, timeout: float = 60.0, retry_for: float = 120.0) -> None:
        if not key or not key.isascii() or not key.isprintable() or " " in key:
            raise ValueError("key: must be the text of a batch key")
        if not base_url.startswith(("http://", "https://")):
            raise ValueError("base_url: must begin with http:// or https://")
        self._key = key
        self._base = base_url.rstrip("/")
        self._timeout = timeout
        self._retry_for = retry_for
        self._not_before: dict[str, float] = {}
        # A redirect of a call is not followed: the key would go along. Links to files have no key.
        self._calls = _opener()
        self._links = _opener(urllib.request.HTTPRedirectHandler(), urllib.request.HTTPErrorProcessor())
        # Tests put their own in place.
        self._sleep: Callable[[float], None] = time.sleep
        self._clock: Callable[[], float] = time.monotonic

    # Reports

    def run(
        self,
        dataset: str,
        request: Optional[JsonObject] = None,
        *,
        wait_timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
        **fields: Any,
    ) -> Report:
        """Asks for a report and waits until it is complete; iterate over the result for its rows.

        Fields of the request are given by name, or in a mapping, and sent as they are.
        """
        ticket = self.submit(dataset, request, idempotency_key=idempotency_key, **fields)
        return self.download(self.wait(ticket["report_id"], timeout=wait_timeout))

    def submit(
        self,
        dataset: str,
        request: Optional[JsonObject] = None,
        *,
        idempotency_key: Optional[str] = None,
        **fields: Any,
    ) -> dict[str, Any]:
        """Asks for a report: {"report_id", "status"}. Repeats, also the caller's own with the same
        idempotency_key and request, are one report and one charge."""
        key = idempotency_key or str(uuid.uuid4())
        path = f"/v3/batch/{_quote(dataset)}/request-report"
        try:
            return self._call("POST", path, body={**(request or {}), **fields}, headers={"idempotency-key": key})
        except MillraceError as e:
            e.idempotency_key = key
            raise

    def validate(self, dataset: str, request: Optional[JsonObject] = None, **fields: Any) -> dict[str, Any]:
        """Checks a request and estimates its credits, free: {"is_valid", "estimated_credits", …}."""
        return self._call(
            "POST", f"/v3/batch/{_quote(dataset)}/request-validate", body={**(request or {}), **fields}
        )

    def status(self, report_id: str) -> dict[str, Any]:
        """The status of a report; once it is complete with download_url, file_size and sha256."""
        return self._call("GET", f"/v3/batch/request-status/{_quote(report_id)}")

    def wait(self, report_id: str, *, timeout: Optional[float] = None) -> dict[str, Any]:
        """Waits until the report has ended, asking when the service says; returns its last status."""
        deadline = None if timeout is None else self._clock() + timeout
        path = f"/v3/batch/request-status/{_quote(report_id)}"
        while True:
            headers: dict[str, str] = {}
            hold = min(_HOLD, self._timeout / 2, _HOLD if deadline is None else deadline - self._clock())
            prefer = {"prefer": f"wait={hold:.0f}"} if hold >= 1 else None  # older services ignore it
            try:
                status = self._call("GET", path, headers=prefer, answer_headers=headers)
            except MillraceError as e:
                e.report_id = e.report_id or report_id
                raise
            if status.get("status") in _ENDED:
                return status
            held = "wait=" in headers.get("preference-applied", "")
            pause = 0.0 if held else _seconds(headers.get("retry-after")) or 2.0
            if deadline is not None:
                left = deadline - self._clock()
                if left <= 0:
                    sentence = f"Report {report_id} is still processing after {timeout:g} seconds; "
                    sentence += "it goes on, and can be waited for again."
                    raise WaitTimeoutError([sentence], retryable=True, report_id=report_id)
                pause = min(pause, left)
            if pause:
                self._sleep(pause)

    def download(self, report: Union[str, JsonObject]) -> Report:
        """The rows and the file of a complete report, given its id or its status."""
        status = self.status(report) if isinstance(report, str) else report
        report_id = str(status.get("report_id"))
        if status.get("status") == "internal_error":
            error = status.get("error") or {}
            raise ReportError(
                [error.get("message") or "The report failed."],
                retryable=bool(error.get("retryable")),
                report_id=report_id,
                code=error.get("code"),
            )
        if status.get("status") not in _ENDED:
            sentence = f"Report {report_id} is still processing; wait for it first."
            raise DownloadError([sentence], retryable=True, report_id=report_id)
        if not status.get("download_url"):
            sentence = f"The file of report {report_id} was kept until {status.get('expires_at')}."
            raise DownloadError([sentence], report_id=report_id)
        return Report(self, status)

    def cancel(self, report_id: str) -> dict[str, Any]:
        """Ends a report that is processing: {"report_id", "status"}."""
        return self._change("cancel", report_id, lambda s: (s.get("error") or {}).get("code") == "cancelled")

    def retry(self, report_id: str) -> dict[str, Any]:
        """Starts a failed report again, at most three times: {"report_id", "status"}."""
        return self._change("retry", report_id, lambda s: s.get("status") not in _ENDED)

    def erase(self, report_id: str) -> None:
        """Deletes a report that has ended, with its file and its request. Credits are not given back."""
        doubts: list[MillraceError] = []
        try:
            self._call("DELETE", f"/v3/batch/reports/{_quote(report_id)}", doubts=doubts)
        except ServiceError as e:
            if e.status != 404 or not doubts:  # else the first call has erased it, and its answer was lost
                raise

    def history(self, **filters: Any) -> Iterator[dict[str, Any]]:
        """All reports of the account, newest first, read page by page; filters: status, dataset."""
        query = {"limit": 100, **filters} if "limit" in filters else {**filters, "limit": 100}
        while True:
            page = self._call("GET", "/v3/batch/report-history", query=query)
            yield from page["reports"]
            if not page.get("next_cursor"):
                return
            query["cursor"] = page["next_cursor"]

    # The account, and what there is

    def credits(self) -> dict[str, Any]:
        """{"remaining_credits"}."""
        return self._call("GET", "/v3/batch/credits")

    def entities(self, dataset: str, prefix: str = "", limit: int = 20) -> dict[str, Any]:
        """Names that are in the data and begin so: {"entities", "more"}."""
        path = f"/v3/batch/tables/{_quote(dataset)}/entities"
        return self._call("GET", path, query={"prefix": prefix, "limit": limit})

    def events(
        self, types: Optional[Sequence[str]] = None, last_event_id: Optional[str] = None
    ) -> Iterator[Event]:
        """The account's events as they happen, without end. Connections that break are resumed
        after the last event; last_event_id is the position of one that was read before."""
        query = {"types": ",".join(types)} if types else {}
        position, pause, retries = last_event_id, 1.0, _Retries(self)
        while True:
            connected = False
            headers = {"accept": "text/event-stream", "cache-control": "no-store"}
            if position is not None:
                headers["last-event-id"] = position
            request = self._request("GET", "/v3/batch/events", query, None, headers)
            try:
                with self._open(self._calls, request, _FEED_TIMEOUT) as answer:
                    if answer.status != 200:
                        raise _refusal(answer, _read(answer, self._timeout), resumed=True)
                    connected = True
                    retries.progress()
                    for line in _feed(_lines(_chunks(answer))):
                        pause = pause if line.retry is None else line.retry
                        position = position if line.id is None else line.id
                        if line.data:  # some parts have a position alone
                            yield Event(position, line.type, _event_data(line.data))
                raise _no_answer("The feed has ended.")
            except (ServiceError, NoAnswerError) as e:
                if connected and e.retryable:
                    e.retry_after = pause
                retries.wait(e)

    def _files(self, status: JsonObject) -> list[dict[str, Any]]:
        """Statuses of the files of a complete report, which has one at least."""
        report_id, files = str(status["report_id"]), list(status.get("files") or [])
        query: dict[str, Any] = {"limit": 1000}
        more = not files  # a status has all of them, or none
        while more:
            page = self._call("GET", f"/v3/batch/files/{_quote(report_id)}", query=query)
            files += page["files"]
            query["cursor"] = page.get("next_cursor")
            more = bool(query["cursor"])
        return [{**file, "report_id": report_id} for file in files]

    def call(
        self,
        method: str,
        path: str,
        *,
        query: Optional[JsonObject] = None,
        body: Any = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Any:
        """Any call of the API that has no method here. A POST is repeated only where it cannot have
        been carried out, or has an idempotency-key."""
        names = {name.lower() for name in headers or {}}
        repeatable = method != "POST" or "idempotency-key" in names
        return self._call(method, path, query=query, body=body, headers=headers, repeatable=repeatable)

    # How it is done

    def _change(self, what: str, report_id: str, done: Callable[[JsonObject], bool]) -> dict[str, Any]:
        """Where an answer was lost and the repeat is refused, the status tells whether the first one
        was carried out."""
        doubts: list[MillraceError] = []
        try:
            return self._call("POST", f"/v3/batch/{what}/{_quote(report_id)}", doubts=doubts)
        except ServiceError as e:
            if e.status != 409 or not doubts:
                raise
            status = self.status(report_id)
            if not done(status):
                raise
            return {"report_id": report_id, "status": status["status"]}

    def _call(
        self,
        method: str,
        path: str,
        *,
        query: Optional[JsonObject] = None,
        body: Any = None,
        headers: Optional[Mapping[str, str]] = None,
        repeatable: bool = True,
        answer_headers: Optional[dict[str, str]] = None,
        doubts: Optional[List[MillraceError]] = None,
    ) -> dict[str, Any]:
        request = self._request(method, path, query, body, {"accept": "application/json", **(headers or {})})
        retries = _Retries(self)
        while True:
            self._keep_pace(method, path)
            try:
                with self._open(self._calls, request, self._timeout) as answer:
                    self._heard(answer)
                    text = _read(answer, self._timeout)
                    if not 200 <= answer.status < 300:
                        raise _refusal(answer, text)
                    if answer_headers is not None:
                        answer_headers.update((k.lower(), v) for k, v in answer.getheaders())
                    if answer.status == 204:
                        return {}
                try:
                    result: dict[str, Any] = json.loads(text)
                    return result
                except ValueError:
                    sentence = f"The answer to {method} {path} is not JSON; is the client's address that of the service?"
                    raise ServiceError([sentence], status=answer.status) from None
            except (ServiceError, NoAnswerError) as e:
                # Of other calls than a submission 503 does not say that nothing was carried out.
                if e._ambiguous or (not repeatable and e.status == 503):
                    if not repeatable:
                        raise
                    if doubts is not None:
                        doubts.append(e)
                retries.wait(e)

    def _keep_pace(self, method: str, path: str) -> None:
        """Waits if the last answer said that no further call would get through, so that none need be refused."""
        reads = method == "GET" or path.endswith("/request-validate")
        wait = self._not_before.pop("read" if reads else "submit", 0.0) - self._clock()
        if wait > 0:
            self._sleep(wait)

    def _heard(self, answer: http.client.HTTPResponse) -> None:
        left = answer.getheader("ratelimit") or ""
        for policy, most, window in _POLICY.findall(answer.getheader("ratelimit-policy") or ""):
            if f'"{policy}";r=0' in left:
                self._not_before[policy] = self._clock() + min(int(window) / int(most), _LONGEST_PAUSE)

    def _request(
        self,
        method: str,
        path: str,
        query: Optional[JsonObject],
        body: Any,
        headers: Mapping[str, str],
    ) -> urllib.request.Request:
        address = self._base + path
        if query:
            address += "?" + "&".join(f"{_quote(k)}={_quote(v)}" for k, v in query.items())
        request = urllib.request.Request(address, method=method)
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("content-type", "application/json")
        for name, value in {**headers, "user-agent": f"millrace-python/{__version__}"}.items():
            request.add_header(name, value)
        request.add_unredirected_header("api-key", self._key)
        return request

    def _open(
        self, opener: urllib.request.OpenerDirector, request: urllib.request.Request, timeout: float
    ) -> http.client.HTTPResponse:
        """Sends a request; the answer may have any status."""
        try:
            answer: http.client.HTTPResponse = opener.open(request, timeout=timeout)
            return answer
        except (OSError, http.client.HTTPException) as e:
            cause = e.reason if isinstance(e, urllib.error.URLError) else e
            error = _no_answer(f"{request.host} does not answer: {cause or type(cause).__name__}.")
            error._ambiguous = not isinstance(cause, (ConnectionRefusedError, socket.gaierror))
            raise error from e

    def _fetch(self, status: JsonObject, file: BinaryIO) -> None:
        """Writes the file of a complete report, which is then as its status says."""
        report_id, size, sha256 = str(status["report_id"]), status["file_size"], status["sha256"]
        have, most, tag = 0, 0, None
        digest, retries = hashlib.sha256(), _Retries(self)
        try:
            while have < size:
                request = urllib.request.Request(status["download_url"])
                request.add_header("accept-encoding", "identity")
                request.add_header("user-agent", f"millrace-python/{__version__}")
                if have:
                    request.add_header("range", f"bytes={have}-")
                    if tag:
                        request.add_header("if-range", tag)
                try:
                    with self._open(self._links, request, self._timeout) as answer:
                        if answer.status == 416:
                            sentence = f"The file of report {report_id} has {have} bytes, and the status says {size}."
                            raise DownloadError([sentence], retryable=True)
                        if answer.status == 200:
                            have, digest = 0, hashlib.sha256()
                            file.seek(0)
                            file.truncate()
                        elif answer.status != 206:
                            raise _refusal(answer, _read(answer, self._timeout), resumed=True)
                        elif not (answer.getheader("content-range") or "").startswith(f"bytes {have}-"):
                            raise _no_answer("The answer to a download has another range than the one asked for.")
                        tag = _strong(answer.getheader("etag")) or (tag if have else None)
                        for chunk in _chunks(answer):
                            have += len(chunk)
                            if have > size:
                                sentence = f"The file of report {report_id} has more than the {size} bytes "
                                raise DownloadError([sentence + "that the status says."], retryable=True)
                            digest.update(chunk)
                            file.write(chunk)
                            if have > most:
                                most = have
                                retries.progress()
                    if have < size:
                        sentence = f"The download of report {report_id} broke off after {have} of {size} bytes."
                        raise _no_answer(sentence)
                except (ServiceError, NoAnswerError) as e:
                    retries.wait(e)
            if digest.hexdigest() != sha256:
                sentence = f"The file of report {report_id} was altered: its SHA-256 is {digest.hexdigest()}, "
                raise DownloadError([sentence + f"and the status says {sha256}."], retryable=True)
        except MillraceError as e:
            e.report_id = report_id
            raise


class Report:
    """A complete report. Each way to read it downloads the file, and compares size and SHA-256
    before it returns a row. One in parts has several files: `rows` and `to_dataframe` read all of
    them, one after the other, `to_folder` writes them, and `files` gives each."""

    def __init__(self, client: Client, status: JsonObject) -> None:
        self._client = client
        self.status = dict(status)
        self.id = str(status["report_id"])

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return self.rows()

    def rows(self) -> Iterator[dict[str, Any]]:
        """The rows of a CSV or JSON Lines file, also with gzip. Of CSV cells are texts, and None
        where they are empty; JSON Lines have numbers. Meanwhile the file is in the folder for
        temporary files."""
        if self._in_parts():
            for part in self.files():
                yield from part.rows()
            return
        with tempfile.TemporaryFile(prefix="millrace-") as file:
            self._client._fetch(self.status, file)
            try:
                yield from _rows(file)
            except DownloadError as e:
                e.report_id = self.id
                raise

    def files(self) -> list[Report]:
        """The files of a report in parts, in the order of their rows. Each is read as a report is; its
        status has name, part, row_count, file_size and sha256. Another report is its own file."""
        return [Report(self._client, file) for file in self._client._files(self.status)] if self._in_parts() else [self]

    def to_folder(self, path: Union[str, os.PathLike[str]]) -> list[pathlib.Path]:
        """Writes all files, as `to_file` does, under the names that the service gives them, into a folder,
        which is made if it is not there."""
        folder, files = pathlib.Path(path), self._client._files(self.status)
        for file in files:
            if not re.fullmatch("[A-Za-z0-9][A-Za-z0-9._-]*", str(file["name"])):
                sentence = f"A file of report {self.id} has a name that is none: {file['name']}."
                raise DownloadError([sentence], report_id=self.id)
        folder.mkdir(parents=True, exist_ok=True)
        return [Report(self._client, file).to_file(folder / file["name"]) for file in files]

    def _in_parts(self) -> bool:
        return "file_count" in self.status

    def to_file(self, path: Union[str, os.PathLike[str]]) -> pathlib.Path:
        """Writes the file as it is. At the path there is the whole file, or what was there before; a
        symbolic link stays, and the file that it leads to is the new one. Devices and pipes get the
        bytes once they are verified. A report in parts has no such file: use `to_folder`."""
        if self._in_parts():
            sentence = f"Report {self.id} has {self.status['file_count']} files; write them with to_folder."
            raise DownloadError([sentence], report_id=self.id)
        target = pathlib.Path(path)
        if target.exists() and not target.is_file():
            if target.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
            with tempfile.TemporaryFile(prefix="millrace-") as file, open(target, "wb") as device:
                self._client._fetch(self.status, file)
                file.seek(0)
                shutil.copyfileobj(file, device)
            return target
        behind = pathlib.Path(os.path.realpath(target))
        if behind.is_symlink():
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(target))
        part = behind.with_name(f"{behind.name}.{uuid.uuid4().hex[:8]}.part")
        try:
            with open(part, "xb") as file:
                self._client._fetch(self.status, file)
            os.replace(part, behind)
        finally:
            part.unlink(missing_ok=True)
        return target

    def to_dataframe(self, **options: Any) -> Any:
        """A pandas DataFrame of the file, also of Parquet; options are those of pandas' reader."""
        try:
            import pandas
        except ImportError:
            raise ImportError("to_dataframe needs pandas: pip install pandas") from None
        if self._in_parts():
            return pandas.concat([part.to_dataframe(**options) for part in self.files()], ignore_index=True)
        with tempfile.TemporaryFile(prefix="millrace-") as file:
            self._client._fetch(self.status, file)
            with _unpacked(file) as data:
                kind = _kind(data)
                if kind == "zstd":
                    raise _no_rows(kind, self.id)
                if kind == "Parquet":
                    return pandas.read_parquet(io.BytesIO(data.read()), **options)
                if kind == "JSON Lines":
                    return pandas.read_json(data, lines=True, **options)
                return pandas.read_csv(data, **options)


def verify_webhook(
    secret: Union[str, Sequence[str]],
    headers: Mapping[str, Any],
    body: Union[bytes, str],
    tolerance: float = 300,
    *,
    now: Optional[float] = None,
) -> Any:
    """Returns the event, or raises a WebhookError (https://www.standardwebhooks.com/).

    secret: whsec_…, or several while the receiver changes it. headers: of the request, in any case.
    body: its bytes, before any parsing. tolerance: seconds between the sender's clock and this one.
    """
    keys = [_secret(s) for s in ([secret] if isinstance(secret, str) else secret)]
    if not keys:
        raise WebhookError(["There is no webhook secret."])
    found = {n.lower(): value if isinstance(value, str) else "".join(value[:1]) for n, value in headers.items()}
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not found.get(name):
            raise WebhookError([f"The header {name} is missing."])
    sent = found["webhook-timestamp"]
    if not (sent.isascii() and sent.isdigit() and len(sent) < 12):
        raise WebhookError(["The header webhook-timestamp is not a number of seconds."])
    raw = body.encode() if isinstance(body, str) else bytes(body)
    signed = f"{found['webhook-id']}.{sent}.".encode() + raw
    expected = [base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()) for key in keys]
    versions = [part.partition(",") for part in found["webhook-signature"].split()]
    given = [signature.encode() for version, _, signature in versions if version == "v1"]
    if not given and any(version == "v1a" for version, _, _ in versions):
        raise WebhookError(["The webhook has no v1 signature; v1a (ed25519) is not verified with this secret."])
    # All are compared, each in constant time.
    if not any([hmac.compare_digest(one, other) for one in expected for other in given]):
        sentence = "No signature of the webhook fits: it has another secret, or its body was changed on the way."
        raise WebhookError([sentence])
    clock = time.time() if now is None else now
    age = int(clock) - int(sent)
    if abs(age) > tolerance:
        here = datetime.fromtimestamp(int(clock), timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        sentence = f"The webhook was signed {abs(age)} seconds {'before' if age > 0 else 'after'} the time of this "
        sentence += f"machine, {here}; {tolerance:g} are accepted. It is a repeat, or a clock is wrong."
        raise WebhookError([sentence])
    try:
        return json.loads(raw)
    except ValueError:
        raise WebhookError(["The body of the webhook is not JSON."]) from None


class _Retries:
    """How long a call is repeated that does not get through: for retry_for seconds, counted from the
    first failure since there was progress."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.progress()

    def progress(self) -> None:
        self._deadline: Optional[float] = None
        self._pause = _FIRST_PAUSE

    def wait(self, error: MillraceError) -> None:
        """Sleeps until the next try; raises the error where there is none."""
        if not error.retryable:
            raise error
        now = self._client._clock()
        if self._deadline is None:
            self._deadline = now + self._client._retry_for
        pause = max(error.retry_after or 0, self._pause)
        if pause == self._pause:
            self._pause = min(2 * pause, _LONGEST_PAUSE)
        if now + pause > self._deadline:
            raise error
        self._client._sleep(pause)


class _AnyStatus(urllib.request.BaseHandler):
    """Gives answers of any status to the caller."""

    def http_error_default(self, req: Any, fp: Any, code: int, msg: str, hdrs: Any) -> Any:
        return fp


def _opener(*more: urllib.request.BaseHandler) -> urllib.request.OpenerDirector:
    opener = urllib.request.OpenerDirector()
    basic = (urllib.request.ProxyHandler(), urllib.request.HTTPHandler(), urllib.request.HTTPSHandler())
    for handler in (*basic, _AnyStatus(), *more):
        opener.add_handler(handler)
    return opener


def _no_answer(sentence: str) -> NoAnswerError:
    error = NoAnswerError([sentence], retryable=True)
    error._ambiguous = True
    return error


def _chunks(answer: http.client.HTTPResponse) -> Iterator[bytes]:
    """The body of an answer as it comes. One that breaks off ends too early, or in a NoAnswerError."""
    while True:
        try:
            chunk = answer.read1(_CHUNK)
        except (OSError, http.client.HTTPException, ValueError) as e:
            raise _no_answer(f"The connection broke: {e or type(e).__name__}.") from e
        if not chunk:
            return
        yield chunk


def _read(answer: http.client.HTTPResponse, timeout: float) -> bytes:
    """The whole body of an answer, which must have come within the timeout."""
    until, body = time.monotonic() + timeout, bytearray()
    for chunk in _chunks(answer):
        body += chunk
        if len(body) > _MOST_BYTES:
            raise ServiceError([f"The answer has more than {_MOST_BYTES} bytes."], status=answer.status)
        if time.monotonic() > until:
            raise _no_answer(f"The answer did not come within {timeout:g} seconds.")
    length = answer.getheader("content-length")
    if length is not None and len(body) < int(length):
        raise _no_answer(f"The answer broke off after {len(body)} of {length} bytes.")
    return bytes(body)


def _refusal(answer: http.client.HTTPResponse, body: bytes, resumed: bool = False) -> ServiceError:
    """The error that an answer is. A file or a feed is resumed after any failure of the service or the storage."""
    try:
        problem = json.loads(body)
    except ValueError:
        problem = None
    problem = problem if isinstance(problem, dict) else {}
    errors = problem.get("errors") or ([problem["detail"]] if problem.get("detail") else [])
    if 300 <= answer.status < 400:
        errors = [f"The service answered {answer.status} and leads elsewhere; is the client's address that of the service?"]
    error = ServiceError(
        errors or [f"The service answered {answer.status} without saying why."],
        status=answer.status,
        retryable=answer.status in _UNAVAILABLE or (resumed and answer.status >= 500),
        report_id=problem.get("report_id"),
        code=problem.get("code"),
        request_id=problem.get("request_id") or answer.getheader("x-request-id"),
        retry_after=_seconds(answer.getheader("retry-after")),
    )
    # Without a report_id the service says that nothing was accepted.
    error._ambiguous = answer.status in (502, 504) or (answer.status == 503 and error.report_id is not None)
    return error


def _seconds(header: Optional[str]) -> Optional[float]:
    text = (header or "").strip()
    return float(text) if text.isascii() and text.isdigit() else None


def _strong(tag: Optional[str]) -> Optional[str]:
    """An entity tag by which a range may be asked for."""
    return tag if tag and tag.startswith('"') else None


def _quote(text: Any) -> str:
    return urllib.parse.quote(str(text), safe="")


def _lines(chunks: Iterator[bytes]) -> Iterator[str]:
    """Lines that end in LF, CR or CR LF; what follows the last end is left out."""
    rest, after_cr = b"", False
    for chunk in chunks:
        if after_cr and chunk.startswith(b"\n"):
            chunk = chunk[1:]
        if not chunk:
            continue
        after_cr = chunk.endswith(b"\r")
        lines = (rest + chunk).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        rest = lines.pop()
        if len(rest) > _MOST_BYTES:
            raise ServiceError([f"A line of the feed has more than {_MOST_BYTES} bytes."])
        for line in lines:
            yield line.decode("utf-8", "replace")


class _FeedPart(NamedTuple):
    """What came up to an empty line of the feed; retry is in seconds."""

    id: Optional[str] = None
    type: str = "message"
    data: Optional[str] = None
    retry: Optional[float] = None


def _feed(lines: Iterator[str]) -> Iterator[_FeedPart]:
    """Server-sent events. A part that breaks off is left out."""
    part = _FeedPart()
    for number, line in enumerate(lines):
        field, _, value = (line[1:] if number == 0 and line.startswith("\ufeff") else line).partition(":")
        value = value[1:] if value.startswith(" ") else value
        if line == "":
            yield part
            part = _FeedPart()
        elif field == "data":
            part = part._replace(data=value if part.data is None else f"{part.data}\n{value}")
        elif field == "event":
            part = part._replace(type=value)
        elif field == "id" and "\0" not in value:
            part = part._replace(id=value)
        elif field == "retry" and value.isascii() and value.isdigit():
            part = part._replace(retry=int(value) / 1000)


def _event_data(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise ServiceError(["An event of the feed is not JSON."]) from None


def _unpacked(file: BinaryIO) -> Any:
    """The file, or where it is gzip what is in it, from its start."""
    file.seek(0)
    packed = file.read(2) == b"\x1f\x8b"
    file.seek(0)
    return io.BufferedReader(gzip.GzipFile(fileobj=file)) if packed else file


def _kind(data: Any) -> str:
    """Which form the file has; its first bytes tell."""
    head = data.peek(4)[:4]
    kinds = {b"PAR1": "Parquet", b"\x28\xb5\x2f\xfd": "zstd"}
    return kinds.get(head) or ("JSON Lines" if head[:1] == b"{" else "CSV")


def _no_rows(kind: str, report_id: Optional[str] = None) -> DownloadError:
    sentence = f"Rows are read from CSV and JSON Lines, plain or gzip; this file is {kind}: write it to a file."
    return DownloadError([sentence], report_id=report_id)


def _rows(file: BinaryIO) -> Iterator[dict[str, Any]]:
    with _unpacked(file) as data:
        kind = _kind(data)
        if kind == "JSON Lines":
            yield from (json.loads(line) for line in data)
        elif kind == "CSV":
            with io.TextIOWrapper(data, encoding="utf-8", newline="") as text:
                yield from _csv_rows(text)
        else:
            raise _no_rows(kind)


def _csv_rows(text: io.TextIOBase) -> Iterator[dict[str, Any]]:
    number, lines = 0, csv.reader(text, strict=True)
    try:
        header = next(lines, None)
        for number, cells in enumerate(lines, 1):
            cells = cells or [""]  # the reader's word for an empty line
            if len(cells) != len(header or []):
                sentence = f"Row {number} of the file has {len(cells)} cells, and the header has {len(header or [])}."
                raise DownloadError([sentence])
            yield {name: cell or None for name, cell in zip(header or [], cells)}
    except csv.Error:
        raise DownloadError([f"Row {number + 1} of the file is not CSV."]) from None


def _secret(text: str) -> bytes:
    encoded = text.strip()
    encoded = encoded[len("whsec_") :] if encoded.startswith("whsec_") else encoded
    try:
        key = base64.b64decode(encoded + "=" * (-len(encoded) % 4), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        raise WebhookError(["A webhook secret is whsec_ and base64."])
    return key
