"""python3 -m unittest discover -t . tests (in clients/python)"""

import importlib.util
import io
import json
import os
import pathlib
import sys
import tempfile
import threading
import unittest
from unittest import mock

import millrace
from tests.scripted_server import ScriptedServer

TESTDATA = pathlib.Path(__file__).parents[2] / "testdata"
SCENARIOS = json.loads((TESTDATA / "scenarios.json").read_text("utf-8"))
CSV = json.loads((TESTDATA / "csv.json").read_text("utf-8"))["cases"]
WEBHOOKS = json.loads((TESTDATA / "webhooks.json").read_text("utf-8"))["cases"]


def play(client, call, folder):
    """The result of a scenario's call."""
    method = call["method"]
    if method == "rows":
        return list(client.download(call["report_id"]))
    if method == "run":
        return list(client.run(call["dataset"], call["request"]))
    if method == "to_file":
        path = folder / "file"
        client.download(call["report_id"]).to_file(path)
        return path.read_bytes().decode()
    if method == "to_folder":
        written = client.download(call["report_id"]).to_folder(folder)
        return {path.name: path.read_bytes().decode() for path in written}
    if method in ("submit", "validate"):
        return getattr(client, method)(call["dataset"], **call["request"])
    if method == "wait":
        return client.wait(call["report_id"], timeout=call.get("timeout"))
    if method in ("status", "cancel", "retry", "erase"):
        return getattr(client, method)(call["report_id"])
    if method == "history":
        return list(client.history(**call["filters"]))
    if method == "entities":
        return client.entities(call["dataset"], call["prefix"], call["limit"])
    if method == "events":
        feed = client.events(call.get("types"), call.get("last_event_id"))
        events = [next(feed)._asdict() for _ in range(call["take"])]
        feed.close()
        return events
    if method == "call":
        return client.call(call["http"], call["path"], body=call["body"])
    return getattr(client, method)()


class ScenariosTest(unittest.TestCase):
    """The table of scenarios that all libraries share."""

    def test_every_scenario(self):
        self.assertGreater(len(SCENARIOS["scenarios"]), 50)
        for scenario in SCENARIOS["scenarios"]:
            with self.subTest(scenario["name"]), tempfile.TemporaryDirectory() as folder:
                self.scenario(scenario, pathlib.Path(folder))

    def scenario(self, scenario, folder):
        server = ScriptedServer(scenario["exchanges"], SCENARIOS["files"])
        client = millrace.Client("secret-key", server.base + "/", **scenario.get("client", {}))
        sleeps = []

        def sleep(seconds):
            sleeps.append(seconds)
            server.client_sleeps()

        client._sleep, client._clock = sleep, lambda: sum(sleeps)
        result = error = None
        try:
            result = play(client, scenario["call"], folder)
        except millrace.MillraceError as e:
            error = e
        server.close()
        self.assertEqual(server.wrong, [], f"requests; ended in {error!r}")
        if "error" in scenario:
            self.failed(scenario["error"], error)
            self.assertEqual(list(folder.iterdir()), [])
        else:
            self.assertIsNone(error)
            self.assertEqual(json.loads(json.dumps(result).replace(server.base, "{base}")), scenario["result"])
        self.assertEqual(sleeps, scenario["sleeps"])

    def failed(self, expected, error):
        self.assertIsNotNone(error)
        self.assertEqual(type(error).__name__, expected["type"])
        for name in ("status", "code", "errors", "retryable", "report_id", "request_id"):
            if name in expected:
                self.assertEqual(getattr(error, name), expected[name])
        if "message" in expected:
            self.assertEqual(str(error), expected["message"])
        if expected.get("has_idempotency_key"):
            self.assertIsNotNone(error.idempotency_key)
        self.assertNotIn("secret-key", str(error))


class ClientTest(unittest.TestCase):
    def test_refuses_arguments_that_cannot_work(self):
        for key in ("", "a b", "a\nb", "ü"):
            with self.subTest(key=key), self.assertRaises(ValueError):
                millrace.Client(key, "http://x")
        self.assertRaises(ValueError, millrace.Client, "key", "x:80")

    def test_a_name_that_does_not_resolve_is_no_answer(self):
        client = millrace.Client("k", "http://nowhere.invalid", retry_for=0)
        with self.assertRaises(millrace.NoAnswerError) as raised:
            client.credits()
        self.assertIn("nowhere.invalid", str(raised.exception))
        self.assertFalse(raised.exception._ambiguous)

    def test_the_callers_own_idempotency_key_is_sent(self):
        exchange = {"request": {"headers": {"idempotency-key": "mine"}}, "answer": {"status": 200, "body": {}}}
        server = ScriptedServer([exchange], {})
        millrace.Client("k", server.base).submit("demographics", {"limit": 1}, idempotency_key="mine")
        server.close()
        self.assertEqual(server.wrong, [])

    def test_threads_share_a_client(self):
        answer = {"answer": {"status": 200, "body": {"remaining_credits": 7}}}
        server = ScriptedServer([answer] * 20, {})
        client = millrace.Client("k", server.base)
        results = []
        threads = [threading.Thread(target=lambda: results.append(client.credits())) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
        server.close()
        self.assertEqual((server.wrong, results), ([], [{"remaining_credits": 7}] * 20))

    def test_rows_that_are_not_read_to_their_end_leave_nothing(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(tempfile, "tempdir", folder):
            scenario = next(s for s in SCENARIOS["scenarios"] if s["name"] == "JSON Lines have numbers")
            server = ScriptedServer(scenario["exchanges"], SCENARIOS["files"])
            rows = millrace.Client("secret-key", server.base).download(scenario["call"]["report_id"]).rows()
            self.assertEqual(next(rows), scenario["result"][0])
            file = rows.gi_frame.f_locals["file"]
            rows.close()
            server.close()
            self.assertTrue(file.closed)
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [])

    def test_a_new_file_replaces_the_old_one_only_when_it_is_whole(self):
        by_name = {s["name"]: s for s in SCENARIOS["scenarios"]}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "report.csv"
            path.write_text("of yesterday")
            for name, content in (("an altered file gives no rows", None), ("a file is written whole", "result")):
                scenario = by_name[name]
                server = ScriptedServer(scenario["exchanges"], SCENARIOS["files"])
                client = millrace.Client("secret-key", server.base)
                client._sleep = lambda seconds: None
                report = client.download(scenario["call"]["report_id"])
                if content is None:
                    self.assertRaises(millrace.DownloadError, report.to_file, path)
                    self.assertEqual(path.read_text(), "of yesterday")
                else:
                    self.assertEqual(report.to_file(str(path)), path)
                    self.assertEqual(path.read_bytes().decode(), scenario["result"])
                server.close()
            self.assertEqual([p.name for p in pathlib.Path(folder).iterdir()], ["report.csv"])

    def downloaded(self, path):
        """to_file of a report whose file is whole; returns what its bytes are."""
        scenario = next(s for s in SCENARIOS["scenarios"] if s["name"] == "a file is written whole")
        server = ScriptedServer(scenario["exchanges"], SCENARIOS["files"])
        client = millrace.Client("secret-key", server.base)
        client._sleep = lambda seconds: None
        try:
            self.assertEqual(client.download(scenario["call"]["report_id"]).to_file(path), path)
        finally:
            server.close()
        return scenario["result"].encode()

    def test_a_link_stays_and_leads_to_the_new_file(self):
        with tempfile.TemporaryDirectory() as folder:
            deep = pathlib.Path(folder, "deep")
            deep.mkdir()
            for name, before in (("old.csv", "of yesterday"), ("new.csv", None)):
                file, link = deep / name, pathlib.Path(folder, f"link-to-{name}")
                if before:
                    file.write_text(before)
                link.symlink_to(pathlib.Path("deep", name))
                content = self.downloaded(link)
                self.assertTrue(link.is_symlink())
                self.assertEqual(file.read_bytes(), content)
            self.assertEqual(sorted(p.name for p in deep.iterdir()), ["new.csv", "old.csv"])

    @unittest.skipUnless(hasattr(os, "mkfifo"), "there are no pipes with names")
    def test_a_pipe_is_written_to_and_stays(self):
        with tempfile.TemporaryDirectory() as folder:
            pipe, link = pathlib.Path(folder, "pipe"), pathlib.Path(folder, "link")
            os.mkfifo(pipe)
            link.symlink_to(pipe)
            for path in (pipe, link):
                received = []
                reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()), daemon=True)
                reader.start()
                content = self.downloaded(path)
                reader.join(20)
                self.assertEqual(received, [content])
            self.assertTrue(pipe.is_fifo() and link.is_symlink())

    def test_what_is_no_file_is_not_replaced(self):
        report = millrace.Report(None, {"report_id": "1"})
        with tempfile.TemporaryDirectory() as folder:
            self.assertRaises(IsADirectoryError, report.to_file, folder)
            loop = pathlib.Path(folder, "loop")
            loop.symlink_to(loop)
            self.assertRaises(OSError, report.to_file, loop)
            self.assertTrue(loop.is_symlink())

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not installed")
    def test_makes_dataframes(self):
        names = ("run submits, waits and reads the rows", "JSON Lines have numbers", "gzip of several members is unpacked")
        for scenario in [s for s in SCENARIOS["scenarios"] if s["name"] in names]:
            server = ScriptedServer(scenario["exchanges"][-2:], SCENARIOS["files"])
            client = millrace.Client("secret-key", server.base)
            frame = client.download(client.status("845d6440-79d1-4125-964e-eaef0d6923e5")).to_dataframe()
            server.close()
            self.assertEqual(list(frame.columns), list(scenario["result"][0]))
            self.assertEqual(frame["domain"].tolist(), [row["domain"] for row in scenario["result"]])
            self.assertAlmostEqual(frame[frame.columns[-1]][0], 0.25)

    def test_says_that_pandas_is_missing(self):
        with mock.patch.dict(sys.modules, {"pandas": None}), self.assertRaises(ImportError) as raised:
            millrace.Report(None, {"report_id": "1"}).to_dataframe()
        self.assertIn("pip install pandas", str(raised.exception))


class CsvTest(unittest.TestCase):
    def test_every_case(self):
        for case in CSV:
            with self.subTest(case["name"]):
                file = io.BytesIO(case["text"].encode())
                if "error" in case:
                    with self.assertRaises(millrace.DownloadError) as raised:
                        list(millrace._rows(io.BufferedReader(file)))
                    self.assertEqual(raised.exception.errors, [case["error"]])
                else:
                    self.assertEqual(list(millrace._rows(io.BufferedReader(file))), case["rows"])


class WebhookTest(unittest.TestCase):
    def test_every_case(self):
        for case in WEBHOOKS:
            with self.subTest(case["name"]):
                if "error" in case:
                    with self.assertRaises(millrace.WebhookError) as raised:
                        self.verify(case)
                    self.assertEqual(raised.exception.errors, [case["error"]])
                else:
                    self.assertEqual(self.verify(case), case["event"])
                    if len(case["secrets"]) == 1:
                        self.assertEqual(self.verify({**case, "secrets": case["secrets"][0]}), case["event"])

    def verify(self, case):
        return millrace.verify_webhook(case["secrets"], case["headers"], case["body"].encode(), now=case["now"])

    def test_the_clock_and_the_tolerance_are_those_of_the_caller(self):
        case = next(c for c in WEBHOOKS if c["name"] == "one signature")
        with self.assertRaises(millrace.WebhookError) as raised:
            millrace.verify_webhook(case["secrets"][0], case["headers"], case["body"], tolerance=-1)
        self.assertIn("a clock is wrong", str(raised.exception))
        millrace.verify_webhook(case["secrets"][0], case["headers"], case["body"], tolerance=10**10)


class LinesTest(unittest.TestCase):
    def test_lines_end_alike_however_they_arrive(self):
        text = "a\r\nb\n\rc\r\r\nd".encode()
        for size in range(1, len(text) + 1):
            chunks = (text[i : i + size] for i in range(0, len(text), size))
            self.assertEqual(list(millrace._lines(chunks)), ["a", "b", "", "c", ""])


if __name__ == "__main__":
    unittest.main()
