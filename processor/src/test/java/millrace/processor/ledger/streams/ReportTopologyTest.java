package millrace.processor.ledger.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import millrace.contracts.Hashes;
import millrace.contracts.accounts.AccountState;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.FileDeletion;
import millrace.contracts.commands.RenderTask;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.delivery.DeliveryCommand;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.Outcome;
import millrace.contracts.reports.ReportPart;
import millrace.contracts.reports.ReportParts;
import millrace.contracts.reports.ReportPhase;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.Status;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.requests.ReportQuery;
import millrace.contracts.requests.ReportRequest;
import millrace.contracts.topics.CloudEvent;
import millrace.contracts.topics.RequestRecord;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.processor.ledger.decide.LedgerSamples;
import millrace.processor.ledger.state.LedgerStores;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the whole topology. */
class ReportTopologyTest {
    private static final UUID R = LedgerSamples.id("r");

    @TempDir
    Path folder;

    private LedgerTestDriver ledger;

    @BeforeEach
    void open() {
        ledger = LedgerTestDriver.open(folder);
        ledger.send("acme", new AccountCommand.GrantCredits("opening-acme", 1000, "bought"));
    }

    @AfterEach
    void close() {
        ledger.close();
    }

    @Test
    void isTheMapThatItWas() throws Exception {
        String map = LedgerTestDriver.topology(LedgerTestDriver.settings(folder))
                .describe()
                .toString();
        assertThat(map).isEqualTo(Files.readString(Path.of("src/test/resources/topology.txt")));
    }

    @Test
    void aSmallReportGoesFromRequestToWebhook() {
        ledger.read(Topics.CREDIT_LEDGER);
        ledger.send(
                "acme",
                LedgerSamples.withWebhook(LedgerSamples.request(R, 208, 5, 2, null), "https://hook.example/in?x=1"));

        RenderTask.RenderSlice task = (RenderTask.RenderSlice) ledger.one(Topics.SMALL_REPORTS);
        assertThat(task.slice()).isEqualTo(new SliceRef(R, 1, 0, 1));
        assertThat(task.dataVersion()).isEqualTo("v1");
        assertThat(task.header()).isTrue();
        assertThat(task.rowLimit()).isNull();
        assertThat(ledger.one(Topics.REPORT_REQUESTS).reportId()).isEqualTo(R);
        assertThat(ledger.one(Topics.REPORT_STATUS).progress())
                .isEqualTo(new ReportStatus.Progress(ReportPhase.QUEUED, 0));

        ledger.send("acme", done(task.slice(), 3, 200));

        assertThat(ledger.read(Topics.CREDIT_LEDGER))
                .extracting(LedgerEntry::kind, LedgerEntry::amount, LedgerEntry::remaining, LedgerEntry::sequence)
                .containsExactly(
                        tuple(LedgerEntry.Kind.RESERVATION, 208L, 792L, 2L),
                        tuple(LedgerEntry.Kind.SETTLEMENT, 200L, 792L, 3L),
                        tuple(LedgerEntry.Kind.RELEASE, 8L, 800L, 4L));
        assertThat(ledger.read(Topics.ACCOUNT_STATE).getLast())
                .isEqualTo(new AccountState("acme", 1000, 0, 200, 800, 0, 4));
        ReportStatus status = ledger.one(Topics.REPORT_STATUS);
        assertThat(status.status()).isEqualTo(Status.COMPLETE);
        assertThat(status.sequence()).isEqualTo(2);
        assertThat(status.result())
                .isEqualTo(new ReportStatus.Result(
                        new ResultCounts(3, 200, 0),
                        200,
                        LedgerSamples.file(task.slice()),
                        LedgerSamples.NOON.plus(Duration.ofDays(30))));
        assertThat(ledger.read(Topics.REPORT_EVENTS))
                .extracting(e -> e.report().status())
                .containsExactly(Status.PROCESSING, Status.COMPLETE);
    }

    @Test
    void webhooksCarryWhatRequestStatusAnswers() {
        ledger.send(
                "acme",
                LedgerSamples.withWebhook(LedgerSamples.request(R, 208, 5, 2, null), "https://hook.example/in?x=1"));
        ledger.send("acme", done(new SliceRef(R, 1, 0, 1), 3, 200));

        List<TestRecord<String, byte[]>> records = ledger.records(Topics.DELIVERIES);
        assertThat(records).extracting(TestRecord::key).containsOnly("acme|https://hook.example:443");
        List<DeliveryCommand.Deliver> deliveries = records.stream()
                .map(r -> (DeliveryCommand.Deliver) Topics.DELIVERIES.decode(r.value()))
                .toList();
        assertThat(deliveries).extracting(DeliveryCommand.Deliver::eventId).containsExactly(R + ".1", R + ".2");
        assertThat(deliveries.getLast().body())
                .startsWith("{\"event_type\":\"report_status_change\",\"payload\":{\"report_id\":\"" + R + "\"")
                .contains(
                        "\"status\":\"complete\"",
                        "\"sequence\":2",
                        "\"occurred_at\":\"2026-11-02T12:00:00.000Z\"",
                        "\"download_url\":\"https://reports.example/" + R + "\"",
                        "\"used_quota\":200");
    }

    @Test
    void publicRecordsAreCloudEventsOfTheRequestsTrace() {
        ledger.send("acme", LedgerSamples.request(R, 208, 5, 2, null));
        ledger.send("acme", done(new SliceRef(R, 1, 0, 1), 3, 200));

        for (Topic<?> topic : List.of(Topics.REPORT_EVENTS, Topics.REPORT_STATUS, Topics.CREDIT_LEDGER)) {
            List<TestRecord<String, byte[]>> records = ledger.records(topic);
            assertThat(records).extracting(r -> header(r, "ce_id")).doesNotHaveDuplicates();
            assertThat(records)
                    .allSatisfy(r -> assertThat(header(r, "ce_type")).startsWith("millrace." + topic.name() + "."));
            assertThat(header(records.getLast(), "traceparent")).isEqualTo(LedgerSamples.TRACE);
        }
    }

    /** So that gateways need not read requests: whatever becomes of a report, however late. */
    @Test
    void everyStatusSaysWhenItsRequestWasWrittenAndItsKey() {
        String key = Hashes.sha256("k");
        for (String name : List.of("complete", "conflict")) {
            ledger.send(
                    "acme",
                    LedgerSamples.withKey(LedgerSamples.request(LedgerSamples.id(name), 9, 5, 7, null), key, "h"));
            ledger.pass(Duration.ofSeconds(1));
        }
        for (int slice = 0; slice < 4; slice++) {
            ledger.send("acme", done(new SliceRef(LedgerSamples.id("complete"), 1, slice, 1), 1, 1));
            ledger.pass(Duration.ofSeconds(1));
        }
        var assembly = new SliceRef(LedgerSamples.id("complete"), 1, SliceRef.ASSEMBLY, 1);
        ledger.send("acme", new AccountCommand.Assembled(assembly, LedgerSamples.file(assembly)));
        ledger.send("acme", LedgerSamples.request(LedgerSamples.id("retried"), 100, 5, 2, null));
        ledger.pass(Duration.ofDays(1));
        ledger.send("acme", new AccountCommand.CancelReport(LedgerSamples.id("retried")));
        ledger.pass(Duration.ofDays(1));
        ledger.send("acme", new AccountCommand.RetryReport(LedgerSamples.id("retried"), 2));
        ledger.send("acme", LedgerSamples.request(LedgerSamples.id("costly"), 10_000, 5, 2, null));
        ledger.send("acme", brokenRequest());
        ledger.pass(Duration.ofDays(3)); // what is open is given up

        Map<String, TestRecord<String, byte[]>> requests = new HashMap<>();
        ledger.records(Topics.REPORT_REQUESTS).forEach(record -> requests.put(record.key(), record));
        assertThat(requests).hasSize(5);
        List<TestRecord<String, byte[]>> statuses = ledger.records(Topics.REPORT_STATUS);
        assertThat(statuses).hasSizeGreaterThanOrEqualTo(12).allSatisfy(status -> {
            TestRecord<String, byte[]> request = Objects.requireNonNull(requests.get(status.key()));
            AccountCommand.Idempotency idempotency =
                    Topics.REPORT_REQUESTS.decode(request.value()).idempotency();
            assertThat(RequestRecord.in(status.headers()))
                    .isEqualTo(RequestRecord.of(idempotency, request.getRecordTime()));
        });
        assertThat(statuses)
                .extracting(status -> header(status, RequestRecord.HEADER).contains(key.substring(0, 32)))
                .contains(true, false);
    }

    /** A gateway then reads the requests. */
    @Test
    void aReportOfAnEarlierBuildSaysNothingOfItsRequest() {
        ledger.send("acme", LedgerSamples.request(R, 100, 5, 2, null));
        String stored = ledger.stored("reports/acme/" + R);
        String before = stored.replaceAll(",\"request_record\":\\{[^}]*}", "");
        assertThat(before).isNotEqualTo(stored);
        ledger.overwrite("reports/acme/" + R, before.getBytes(StandardCharsets.UTF_8));
        try (LedgerTestDriver after = LedgerTestDriver.open(folder.resolve("after"))) {
            ledger.moveTo(after);
            after.send("acme", new AccountCommand.CancelReport(R));
            assertThat(after.records(Topics.REPORT_STATUS))
                    .extracting(status -> RequestRecord.in(status.headers()))
                    .containsOnlyNulls();
        }
    }

    @Test
    void aLargeReportIsPutTogether() {
        ledger.send("acme", LedgerSamples.request(R, 100, 5, 7, null));

        assertThat(ledger.read(Topics.SLICES))
                .extracting(t -> ((RenderTask.RenderSlice) t).query().entities())
                .containsExactly(List.of("e00000.example"), List.of("e00001.example", "e00002.example"));
        for (int slice = 0; slice < 4; slice++) {
            ledger.send("acme", done(new SliceRef(R, 1, slice, 1), 1, 10));
        }

        List<RenderTask> tasks = ledger.read(Topics.SLICES);
        assertThat(((RenderTask.RenderSlice) tasks.getFirst()).header()).isFalse();
        assertThat(((RenderTask.Assemble) tasks.getLast()).parts())
                .extracting(p -> p.name())
                .containsExactly(R + "/1/0-1", R + "/1/1-1", R + "/1/2-1", R + "/1/3-1");
        assertThat(ledger.entries(LedgerStores.ANSWERS)).isEqualTo(4);

        var assembly = new SliceRef(R, 1, SliceRef.ASSEMBLY, 1);
        ledger.send("acme", new AccountCommand.Assembled(assembly, LedgerSamples.file(assembly)));

        assertThat(ledger.read(Topics.REPORT_STATUS))
                .extracting(s ->
                        s.progress() == null ? s.status().word() : s.progress().toString())
                .containsExactly(
                        "Progress[phase=QUEUED, fraction=0.0]",
                        "Progress[phase=RENDERING, fraction=0.25]",
                        "Progress[phase=RENDERING, fraction=0.5]",
                        "Progress[phase=RENDERING, fraction=0.75]",
                        "Progress[phase=ASSEMBLING, fraction=1.0]",
                        "complete");
        assertThat(ledger.read(Topics.REPORT_EVENTS)).hasSize(2);
        assertThat(ledger.entries(LedgerStores.ANSWERS)).isZero();
        assertThat(ledger.one(Topics.FILE_DELETIONS))
                .isEqualTo(new FileDeletion(
                        "acme",
                        R,
                        FileDeletion.Reason.ASSEMBLED,
                        List.of(R + "/1/0-1", R + "/1/1-1", R + "/1/2-1", R + "/1/3-1")));
    }

    /** Two parts of two slices each. */
    @Test
    void aReportInPartsIsNeverOneFile() {
        ledger.send("zenith", new AccountCommand.GrantCredits("g", 1_000, "bought"));
        assertThat(ledger.stored("form/ledger")).isEqualTo("5");
        ledger.send("acme", LedgerSamples.inParts(LedgerSamples.request(R, 100, 5, 7, null), 2));
        assertThat(ledger.stored("form/ledger")).isEqualTo("6");
        for (int slice = 0; slice < 4; slice++) {
            ledger.send("acme", done(new SliceRef(R, 1, slice, 1), 1, 10));
            if (slice == 1) {
                assembled(SliceRef.ofPart(0));
            }
        }
        assembled(SliceRef.ofPart(1));

        List<RenderTask> tasks = ledger.read(Topics.SLICES);
        assertThat(tasks)
                .filteredOn(RenderTask.RenderSlice.class::isInstance)
                .extracting(t -> ((RenderTask.RenderSlice) t).header())
                .containsExactly(true, false, true, false);
        var manifest = (RenderTask.WriteManifest) tasks.getLast();
        assertThat(manifest.query().entities()).isEmpty();
        assertThat(manifest.manifest().dataVersion()).isEqualTo("v1");
        assertThat(manifest.manifest().rowCount()).isEqualTo(4);
        List<ReportPart> parts = List.of(part(1, SliceRef.ofPart(0)), part(2, SliceRef.ofPart(1)));
        assertThat(manifest.manifest().files()).isEqualTo(parts);
        assertThat(ledger.entries(LedgerStores.ANSWERS)).isEqualTo(2);

        assembled(SliceRef.ASSEMBLY);

        ReportStatus.Result result = Objects.requireNonNull(
                ledger.read(Topics.REPORT_STATUS).getLast().result());
        assertThat(result.parts()).isEqualTo(new ReportParts(2, 200, parts));
        assertThat(result.usedQuota()).isEqualTo(40);
        assertThat(ledger.entries(LedgerStores.ANSWERS)).isZero();
        assertThat(ledger.read(Topics.FILE_DELETIONS))
                .extracting(FileDeletion::files)
                .containsExactly(List.of(R + "/1/0-1", R + "/1/1-1"), List.of(R + "/1/2-1", R + "/1/3-1"));

        ledger.send("acme", new AccountCommand.EraseReport(R));
        assertThat(ledger.one(Topics.FILE_DELETIONS).files()).containsExactly(R + "/1/");
    }

    /** The build before would retry it as one file. */
    @Test
    void aSplitReportThatDoesNotBeginNeedsTheNewestForm() {
        ledger.send("zenith", new AccountCommand.GrantCredits("g", 1, "bought"));
        ledger.send("zenith", LedgerSamples.inParts(LedgerSamples.request(R, 100, 5, 7, null), 1));
        assertThat(ledger.stored("form/ledger")).isEqualTo("5");
        UUID refused = LedgerSamples.id("refused");
        ledger.send("zenith", LedgerSamples.inParts(LedgerSamples.request(refused, 100, 5, 7, null), 2));
        assertThat(ledger.read(Topics.SLICES)).isEmpty();
        assertThat(ledger.stored("form/ledger")).isEqualTo("6");
    }

    private void assembled(int slice) {
        var ref = new SliceRef(R, 1, slice, 1);
        ledger.send("acme", new AccountCommand.Assembled(ref, LedgerSamples.file(ref)));
    }

    private static ReportPart part(int number, int slice) {
        return ReportPart.of("demographics", number, "csv", 2, LedgerSamples.file(new SliceRef(R, 1, slice, 1)));
    }

    @Test
    void aLimitTravelsWithTheSlices() {
        ledger.send("acme", LedgerSamples.request(R, 100, 5, 8, 5));
        ledger.send("acme", done(new SliceRef(R, 1, 0, 1), 3, 3));

        assertThat(ledger.read(Topics.SLICES))
                .extracting(t -> ((RenderTask.RenderSlice) t).rowLimit())
                .containsExactly(5L, 2L);
    }

    /** Also a slice that is handed out again leaves out as many rows as before. */
    @Test
    void anOffsetTravelsWithTheSlices() {
        ledger.send("acme", LedgerSamples.withOffset(LedgerSamples.request(R, 100, 5, 8, null), 5));
        var first = new SliceRef(R, 1, 0, 1);
        ledger.send("acme", new AccountCommand.SliceDone(first, LedgerSamples.file(first), ResultCounts.NONE, 3L));
        ledger.send(
                "acme", new AccountCommand.SliceFailed(new SliceRef(R, 1, 1, 1), ErrorCode.RENDER_FAILED, "broken"));
        var again = new SliceRef(R, 1, 1, 2);
        ledger.send(
                "acme", new AccountCommand.SliceDone(again, LedgerSamples.file(again), new ResultCounts(1, 1, 0), 2L));

        assertThat(ledger.read(Topics.SLICES))
                .extracting(t -> ((RenderTask.RenderSlice) t).rowsToSkip())
                .containsExactly(5L, 2L, 2L, null, null);
    }

    @Test
    void aReportThatFailsSaysWhatWasThrown() {
        ledger.send("acme", LedgerSamples.request(R, 100, 5, 2, null));
        for (int dispatch = 1; dispatch <= 3; dispatch++) {
            ledger.send(
                    "acme",
                    new AccountCommand.SliceFailed(
                            new SliceRef(R, 1, 0, dispatch),
                            ErrorCode.DATASET_UNAVAILABLE,
                            "The data could not be read.",
                            null,
                            "java.io.IOException: refused " + dispatch));
        }
        ReportStatus failed = ledger.read(Topics.REPORT_STATUS).getLast();
        assertThat(failed.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(failed.error())
                .isEqualTo(new ReportStatus.Failure(
                        ErrorCode.DATASET_UNAVAILABLE,
                        "The data could not be read.",
                        true,
                        "java.io.IOException: refused 3"));
    }

    @Test
    void aCancelledReportCanBeRetried() {
        ledger.send("acme", LedgerSamples.request(R, 100, 5, 2, null));
        ledger.send("acme", new AccountCommand.CancelReport(R));
        ledger.send("acme", new AccountCommand.RetryReport(R, 2));
        ledger.send("acme", done(new SliceRef(R, 1, 0, 1), 1, 10));
        ledger.send("acme", done(new SliceRef(R, 2, 0, 1), 1, 20));

        assertThat(ledger.read(Topics.REPORT_EVENTS))
                .extracting(
                        e -> e.report().sequence() + " " + e.report().status().word())
                .containsExactly("1 processing", "2 internal_error", "3 processing", "4 complete");
        assertThat(ledger.read(Topics.CREDIT_LEDGER).getLast().used()).isEqualTo(20);
    }

    @Test
    void whatCannotBeReadOrDecidedReachesTheDeadLettersAsItWas() {
        ledger.send("acme", LedgerSamples.request(R, 100, 5, 2, null));
        long before = ledger.entries(LedgerStores.AGENDA);
        byte[] noCommand = "{\"type\":\"nonsense\"}".getBytes(StandardCharsets.UTF_8);
        byte[] zero = Topics.ACCOUNT_COMMANDS.encode(new AccountCommand.GrantCredits("z", 0, "nothing"));
        byte[] overflow = Topics.ACCOUNT_COMMANDS.encode(new AccountCommand.GrantCredits("o", Long.MAX_VALUE, "much"));
        byte[] negative = Topics.ACCOUNT_COMMANDS.encode(done(new SliceRef(R, 1, 0, 1), -1, 1));
        for (byte[] value : List.of(noCommand, zero, overflow, negative)) {
            ledger.send("acme", value);
        }

        List<TestRecord<String, byte[]>> letters = ledger.records(Topics.COMMAND_DEAD_LETTERS);
        assertThat(letters).extracting(TestRecord::value).containsExactly(noCommand, zero, overflow, negative);
        assertThat(letters).extracting(TestRecord::key).containsOnly("acme");
        assertThat(letters)
                .allSatisfy(l -> assertThat(header(l, AccountStep.ERROR_HEADER)).isNotBlank());
        assertThat(ledger.entries(LedgerStores.AGENDA)).isEqualTo(before);

        ledger.send("acme", done(new SliceRef(R, 1, 0, 1), 1, 10));
        assertThat(ledger.read(Topics.CREDIT_LEDGER).getLast().used()).isEqualTo(10);
    }

    @Test
    void anAcceptedReportEndsEvenWhereItCannotBeDecided() {
        ledger.send("acme", brokenRequest());

        assertThat(ledger.records(Topics.COMMAND_DEAD_LETTERS)).hasSize(1);
        ReportStatus status = ledger.one(Topics.REPORT_STATUS);
        assertThat(status.status()).isEqualTo(Status.INTERNAL_ERROR);
        assertThat(status.error())
                .isEqualTo(new ReportStatus.Failure(ErrorCode.RENDER_FAILED, "the report could not be planned", false));
        assertThat(ledger.read(Topics.REPORT_EVENTS)).hasSize(1);
        assertThat(ledger.records(Topics.DELIVERIES)).hasSize(1);
        assertThat(ledger.read(Topics.CREDIT_LEDGER).getLast().remaining()).isEqualTo(1000);
    }

    /** Of a dataset that the ledger fails with. */
    private static AccountCommand brokenRequest() {
        AccountCommand.RequestReport known = LedgerSamples.request(R, 100, 5, 2, null);
        ReportQuery q = known.request().query();
        var broken = new ReportQuery(
                "broken",
                q.entities(),
                q.countries(),
                q.metrics(),
                q.dates(),
                q.filters(),
                q.subdomains(),
                q.limit(),
                q.output());
        return new AccountCommand.RequestReport(
                R,
                new ReportRequest(broken, "https://hook.example/in", null, ApiDialect.V3),
                known.quote(),
                null,
                LedgerSamples.NOON,
                LedgerSamples.TRACE);
    }

    /** Hands out two small reports; the third one holds ticket number 2. */
    private void fillTheQueue() {
        for (String name : List.of("a", "b", "c", "d")) {
            ledger.send("acme", LedgerSamples.request(LedgerSamples.id(name), 10, 5, 1, null));
        }
        assertThat(ledger.read(Topics.SMALL_REPORTS)).hasSize(2);
    }

    @Test
    void aLostTurnStandsInNobodysWay() {
        fillTheQueue();
        ledger.overwrite("tickets/acme/small/2", null);
        ledger.send("acme", new AccountCommand.GrantCredits("more", 5, "bought"));
        ledger.send("acme", done(new SliceRef(LedgerSamples.id("a"), 1, 0, 1), 1, 10));

        assertThat(ledger.records(Topics.COMMAND_DEAD_LETTERS)).isEmpty();
        assertThat(ledger.one(Topics.SMALL_REPORTS).slice().reportId()).isEqualTo(LedgerSamples.id("d"));
        assertThat(ledger.read(Topics.CREDIT_LEDGER).getLast().used()).isEqualTo(10);
    }

    @Test
    void aStoreThatCannotBeReadIsNoFaultOfTheCommand() {
        fillTheQueue();
        ledger.overwrite("tickets/acme/small/2", new byte[] {'?'});
        assertThatThrownBy(() -> ledger.send("acme", done(new SliceRef(LedgerSamples.id("a"), 1, 0, 1), 1, 10)))
                .isInstanceOf(StreamsException.class);
        assertThat(ledger.records(Topics.COMMAND_DEAD_LETTERS)).isEmpty();
    }

    @Test
    void theStateSaysItsFormFromTheFirstRecordOnWhateverThatIs() {
        try (LedgerTestDriver other = LedgerTestDriver.open(folder.resolve("other"))) {
            assertThat(other.entries(LedgerStores.FORM)).isZero();
            other.send("acme", "no command".getBytes(StandardCharsets.UTF_8));
            assertThat(other.entries(LedgerStores.FORM)).isEqualTo(1);
        }
    }

    @Test
    void aPartitionWithoutRecordsSaysItsFormToo() {
        try (LedgerTestDriver other = LedgerTestDriver.open(folder.resolve("other"))) {
            other.pass(Duration.ofSeconds(1));
            assertThat(other.entries(LedgerStores.FORM)).isEqualTo(1);
        }
    }

    @Test
    void aLostSliceIsHandedOutAgainByTheClock() {
        ledger.send("acme", LedgerSamples.request(R, 100, 5, 2, null));
        ledger.send("acme", new AccountCommand.SliceRunning(new SliceRef(R, 1, 0, 1), 0));
        ledger.read(Topics.SMALL_REPORTS);

        ledger.pass(Duration.ofSeconds(29));
        assertThat(ledger.read(Topics.SMALL_REPORTS)).isEmpty();
        ledger.pass(Duration.ofSeconds(2));
        assertThat(ledger.one(Topics.SMALL_REPORTS).slice().dispatch()).isEqualTo(2);
        ledger.pass(Duration.ofHours(25));
        ledger.pass(Duration.ofHours(25));
        ReportStatus.Failure failure =
                ledger.read(Topics.REPORT_STATUS).getLast().error();
        assertThat(failure).isNotNull();
        assertThat(failure.code()).isEqualTo(ErrorCode.RENDER_FAILED);
        assertThat(ledger.read(Topics.CREDIT_LEDGER).getLast().remaining()).isEqualTo(1000);
    }

    /** Its lease would else end an hour later. */
    @Test
    void aLostSliceDoesNotWaitForAWallClockThatWasSetBack() {
        SliceRef lost = running();
        ledger.setWall(Duration.ofHours(-1));
        ledger.pass(Duration.ofSeconds(29));
        assertThat(ledger.read(Topics.SMALL_REPORTS)).isEmpty();
        ledger.pass(Duration.ofSeconds(32));
        assertThat(ledger.one(Topics.SMALL_REPORTS).slice()).isEqualTo(new SliceRef(R, 1, lost.slice(), 2));
        ledger.send("acme", done(lost, 1, 10));
        assertThat(ledger.one(Topics.REPORT_STATUS).updatedAt())
                .as("what people read is the time of the wall clock")
                .isEqualTo(LedgerSamples.NOON.minus(Duration.ofHours(1)).plusSeconds(62));
    }

    /** Or a machine that was suspended: nothing could be heard of its workers. */
    @Test
    void aWallClockThatIsSetForwardLosesNoSlice() {
        SliceRef slice = running();
        ledger.setWall(Duration.ofHours(8));
        ledger.pass(Duration.ofSeconds(10));
        assertThat(ledger.read(Topics.SMALL_REPORTS)).isEmpty();
        ledger.send("acme", new AccountCommand.SliceRunning(slice, 0));
        ledger.pass(Duration.ofSeconds(14));
        assertThat(ledger.read(Topics.SMALL_REPORTS)).isEmpty();
        ledger.pass(Duration.ofSeconds(17));
        assertThat(ledger.one(Topics.SMALL_REPORTS).slice().dispatch()).isEqualTo(2);
    }

    /** A slice whose worker has just been heard of. */
    private SliceRef running() {
        ledger.send("acme", LedgerSamples.request(R, 100, 5, 2, null));
        ledger.pass(Duration.ofSeconds(1));
        SliceRef slice = ledger.one(Topics.SMALL_REPORTS).slice();
        ledger.send("acme", new AccountCommand.SliceRunning(slice, 0));
        ledger.read(Topics.REPORT_STATUS);
        return slice;
    }

    /** Its slice cannot be handed out again without the request, and its reservation cannot be released. */
    @Test
    void aTimerThatFailsIsTriedAgain() {
        SliceRef lost = running();
        try (LedgerTestDriver broken = LedgerTestDriver.open(folder.resolve("broken"));
                LedgerTestDriver mended = LedgerTestDriver.open(folder.resolve("mended"))) {
            ledger.moveTo(broken);
            broken.overwrite("requests/acme/" + R, null);
            broken.overwrite(
                    "accounts/acme",
                    ledger.stored("accounts/acme")
                            .replace("\"remaining\":900,\"reserved\":100", "\"remaining\":1000,\"reserved\":0")
                            .getBytes(StandardCharsets.UTF_8));
            broken.pass(Duration.ofSeconds(31));
            assertThat(broken.metric("millrace.ledger.failed.timers")).isEqualTo(1);
            broken.pass(Duration.ofMinutes(9));
            assertThat(broken.metric("millrace.ledger.failed.timers")).isEqualTo(1);
            broken.pass(Duration.ofMinutes(2));
            assertThat(broken.metric("millrace.ledger.failed.timers")).isEqualTo(2);
            assertThat(broken.read(Topics.REPORT_STATUS)).isEmpty();

            broken.moveTo(mended);
            for (String key : List.of("requests/acme/" + R, "accounts/acme")) {
                mended.overwrite(key, ledger.stored(key).getBytes(StandardCharsets.UTF_8));
            }
            mended.pass(Duration.ofMinutes(25));
            assertThat(mended.one(Topics.SMALL_REPORTS).slice()).isEqualTo(new SliceRef(R, 1, lost.slice(), 2));
        }
    }

    /** A row for many, in place of several for each. */
    @Test
    void ofAReportThatHasEndedLittleIsKept() {
        ledger.send("acme", new AccountCommand.GrantCredits("many", 100_000, "bought"));
        long before = ledger.entries();
        for (int i = 0; i < 200; i++) {
            UUID id = LedgerSamples.id("little" + i);
            ledger.send("acme", LedgerSamples.withKey(LedgerSamples.request(id, 100, 5, 2, null), "k" + i, "h"));
            ledger.send("acme", done(new SliceRef(id, 1, 0, 1), 1, 10));
        }
        assertThat(ledger.entries(LedgerStores.REPORTS)).isZero();
        assertThat(ledger.entries() - before).isLessThan(50);
    }

    /** An Idempotency-Key is free again when its report is forgotten, and its next report is another one. */
    @Test
    void whatComesTwiceCountsOnceAsLongAsTheReportIsKnown() {
        AccountCommand.RequestReport request =
                LedgerSamples.withKey(LedgerSamples.request(R, 100, 5, 2, null), "k", "h");
        AccountCommand.RequestReport other =
                LedgerSamples.withKey(LedgerSamples.request(LedgerSamples.id("other"), 100, 5, 2, null), "k", "other");
        ledger.send("acme", request);
        ledger.send("acme", done(new SliceRef(R, 1, 0, 1), 1, 10));
        ledger.read(Topics.REPORT_EVENTS);
        ledger.pass(Duration.ofDays(399));
        try (LedgerTestDriver after = LedgerTestDriver.open(folder.resolve("after"))) {
            ledger.moveTo(after);
            after.pass(Duration.ofDays(399));
            after.send("acme", request);
            assertThat(after.read(Topics.REPORT_EVENTS)).isEmpty();
            after.send("acme", other);
            ReportStatus.Failure failure =
                    after.one(Topics.REPORT_EVENTS).report().error();
            assertThat(failure).isNotNull();
            assertThat(failure.code()).isEqualTo(ErrorCode.IDEMPOTENCY_CONFLICT);
            after.pass(Duration.ofDays(2));
            after.records(Topics.REPORT_STATUS);
            after.send("acme", request);
            assertThat(after.one(Topics.REPORT_EVENTS).report().status()).isEqualTo(Status.PROCESSING);
        }
    }

    @Test
    void knowsWhichDataOpenReportsRead() {
        ledger.send("acme", LedgerSamples.request(R, 100, 5, 2, null));
        ledger.send("acme", LedgerSamples.request(LedgerSamples.id("s"), 100, 5, 2, null));
        assertThat(ledger.entries(LedgerStores.VERSIONS)).isEqualTo(1);
        ledger.send("acme", done(new SliceRef(R, 1, 0, 1), 1, 10));
        assertThat(ledger.entries(LedgerStores.VERSIONS)).isEqualTo(1);
        ledger.send("acme", new AccountCommand.CancelReport(LedgerSamples.id("s")));
        assertThat(ledger.entries(LedgerStores.VERSIONS)).isZero();
    }

    @Test
    void reportsAreForgotten() {
        ledger.send("acme", LedgerSamples.withKey(LedgerSamples.request(R, 100, 5, 2, null), "k", "h"));
        ledger.send("acme", done(new SliceRef(R, 1, 0, 1), 1, 10));
        ledger.records(Topics.REPORT_STATUS);
        ledger.records(Topics.REPORT_REQUESTS);
        assertThat(ledger.entries(LedgerStores.ENDED)).isEqualTo(1);
        for (int day = 0; day < 402; day++) {
            ledger.pass(Duration.ofDays(1));
        }

        assertThat(ledger.read(Topics.FILE_DELETIONS))
                .containsExactly(new FileDeletion(
                        "acme",
                        R,
                        FileDeletion.Reason.EXPIRED,
                        List.of(LedgerSamples.file(new SliceRef(R, 1, 0, 1)).name())));
        assertThat(ledger.records(Topics.REPORT_STATUS))
                .extracting(TestRecord::key, TestRecord::value)
                .containsExactly(tuple("acme/" + R, null));
        assertThat(ledger.records(Topics.REPORT_REQUESTS))
                .extracting(TestRecord::key, TestRecord::value)
                .containsExactly(tuple("acme/" + R, null));
        assertThat(ledger.read(Topics.CREDIT_LEDGER))
                .filteredOn(e -> e.kind() == LedgerEntry.Kind.OPENING)
                .hasSize(13);
        assertThat(List.of(
                        LedgerStores.REPORTS,
                        LedgerStores.REQUESTS,
                        LedgerStores.IDEMPOTENCY,
                        LedgerStores.ENDED,
                        LedgerStores.ENDED_AGENDA))
                .allSatisfy(store -> assertThat(ledger.entries(store)).isZero());
        assertThat(ledger.entries(LedgerStores.AGENDA)).isEqualTo(1);
    }

    /** In one transaction, whatever the report was. What follows from its id stays until it would have been forgotten. */
    @Test
    void aReportIsErased() {
        UUID failed = LedgerSamples.id("failed");
        ledger.send("acme", LedgerSamples.withKey(LedgerSamples.request(R, 100, 5, 2, null), "k", "h"));
        ledger.send("acme", done(new SliceRef(R, 1, 0, 1), 1, 10));
        ledger.send("acme", LedgerSamples.withKey(LedgerSamples.request(failed, 100, 5, 2, null), "l", "h"));
        ledger.send("acme", new AccountCommand.CancelReport(failed));
        for (UUID id : List.of(R, failed)) {
            ledger.records(Topics.REPORT_STATUS);
            ledger.records(Topics.REPORT_REQUESTS);
            ledger.records(Topics.DELIVERIES);
            ledger.sendUncommitted("acme", new AccountCommand.EraseReport(id));
            ledger.commit();
            assertThat(ledger.records(Topics.REPORT_STATUS)).singleElement().satisfies(status -> {
                assertThat(status.key()).isEqualTo("acme/" + id);
                assertThat(status.value()).isNull();
                assertThat(CloudEvent.isErased(status.headers())).isTrue();
            });
            assertThat(ledger.records(Topics.REPORT_REQUESTS)).singleElement().satisfies(request -> {
                assertThat(request.value()).isNull();
                assertThat(CloudEvent.isErased(request.headers())).isTrue();
            });
            assertThat(ledger.read(Topics.DELIVERIES))
                    .containsExactly(new DeliveryCommand.EraseReport("acme", id, LedgerSamples.NOON));
        }
        assertThat(ledger.one(Topics.FILE_DELETIONS))
                .isEqualTo(new FileDeletion(
                        "acme",
                        R,
                        FileDeletion.Reason.FORGOTTEN,
                        List.of(LedgerSamples.file(new SliceRef(R, 1, 0, 1)).name())));
        assertThat(List.of(LedgerStores.REPORTS, LedgerStores.REQUESTS, LedgerStores.IDEMPOTENCY))
                .allSatisfy(store -> assertThat(ledger.entries(store)).isZero());
        ledger.records(Topics.REPORT_EVENTS);
        UUID other = LedgerSamples.id("other");
        ledger.send("acme", LedgerSamples.withKey(LedgerSamples.request(other, 100, 5, 2, null), "l", "other"));
        assertThat(ledger.one(Topics.REPORT_EVENTS).report().error())
                .extracting(ReportStatus.Failure::code)
                .isEqualTo(ErrorCode.IDEMPOTENCY_CONFLICT);
        ledger.records(Topics.REPORT_STATUS);

        for (int day = 0; day < 402; day++) {
            ledger.pass(Duration.ofDays(1));
        }
        assertThat(ledger.records(Topics.REPORT_STATUS))
                .extracting(TestRecord::key)
                .containsExactlyInAnyOrder("acme/" + R, "acme/" + failed, "acme/" + other);
        assertThat(ledger.records(Topics.FILE_DELETIONS)).isEmpty();
        assertThat(ledger.entries(LedgerStores.ENDED)).isZero();
    }

    /** An hour after the last download can have begun, and not before, whoever has the partition then. */
    @Test
    void aFileIsHandedOutForDeletionWhenItsTimeIsOver() {
        ledger.send("acme", LedgerSamples.request(R, 100, 5, 2, null));
        ledger.send("acme", done(new SliceRef(R, 1, 0, 1), 1, 10));
        ledger.pass(Duration.ofDays(30).plusMinutes(59));
        assertThat(ledger.records(Topics.FILE_DELETIONS)).isEmpty();
        try (LedgerTestDriver other = LedgerTestDriver.open(folder.resolve("other"))) {
            ledger.moveTo(other);
            other.pass(Duration.ofDays(30).plusMinutes(59));
            assertThat(other.records(Topics.FILE_DELETIONS)).isEmpty();
            other.pass(Duration.ofMinutes(2));
            assertThat(other.records(Topics.FILE_DELETIONS))
                    .singleElement()
                    .satisfies(record -> assertThat(record.key()).isEqualTo("acme"));
            other.pass(Duration.ofDays(1));
            assertThat(other.records(Topics.FILE_DELETIONS)).isEmpty();
        }
    }

    /** A transaction stays short where the files of many reports expire at the same time, and no lease waits for them. */
    @Test
    void manyFilesAreHandedOutTickByTick() {
        ledger.send("acme", new AccountCommand.GrantCredits("many", 100_000, "bought"));
        for (int i = 0; i < 250; i++) {
            UUID id = LedgerSamples.id("many" + i);
            ledger.send("acme", LedgerSamples.request(id, 100, 5, 2, null));
            ledger.send("acme", done(new SliceRef(id, 1, 0, 1), 1, 10));
        }
        ledger.pass(Duration.ofDays(30).plusHours(1).minusSeconds(5));
        ledger.records(Topics.FILE_DELETIONS);
        List<Integer> ticks = new ArrayList<>();
        for (int second = 0; second < 20; second++) {
            ledger.pass(Duration.ofSeconds(1));
            ticks.add(ledger.records(Topics.FILE_DELETIONS).size());
        }
        assertThat(ticks).allMatch(files -> files <= 100);
        assertThat(ticks.stream().mapToInt(Integer::intValue).sum()).isEqualTo(250);
    }

    @Test
    void goesOnWhereAnotherProcessStopped() {
        ledger.send("acme", LedgerSamples.request(R, 100, 5, 7, null));
        ledger.send("acme", done(new SliceRef(R, 1, 0, 1), 1, 10));
        try (LedgerTestDriver other = LedgerTestDriver.open(folder.resolve("other"))) {
            ledger.moveTo(other);
            ledger.send("acme", new AccountCommand.CancelReport(R));
            for (int slice = 0; slice < 4; slice++) {
                other.send("acme", done(new SliceRef(R, 1, slice, 1), 1, 10));
            }
            var assembly = new SliceRef(R, 1, SliceRef.ASSEMBLY, 1);
            other.send("acme", new AccountCommand.Assembled(assembly, LedgerSamples.file(assembly)));
            assertThat(other.read(Topics.CREDIT_LEDGER).getLast().used()).isEqualTo(40);
        }
    }

    private static AccountCommand done(SliceRef slice, long rows, long results) {
        return new AccountCommand.SliceDone(slice, LedgerSamples.file(slice), new ResultCounts(rows, results, 0));
    }

    private static String header(TestRecord<String, byte[]> record, String name) {
        return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }
}
