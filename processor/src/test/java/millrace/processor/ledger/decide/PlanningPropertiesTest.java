package millrace.processor.ledger.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import millrace.contracts.Hashes;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.RenderTask;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.requests.EntityList;
import millrace.contracts.requests.EntityRange;
import millrace.contracts.requests.FilterList;
import millrace.contracts.requests.ReportQuery;
import millrace.contracts.requests.ReportRequest;
import millrace.contracts.topics.Topics;
import millrace.processor.ledger.decide.PendingChanges.RecordedFact;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every entity of a report is in exactly one slice, in order, however the report is cut. */
class PlanningPropertiesTest {
    private static final UUID R = LedgerSamples.id("r");
    private static final LedgerRules THOUSAND_SLICES = new LedgerRules(
            new LedgerRules.Slicing(100_000, 500, 1_000), new LedgerRules.Turns(4, 8, 64), LedgerSamples.RULES.times());

    @Property(tries = 200)
    void everyEntityIsInExactlyOneSlice(
            @ForAll @IntRange(min = 1, max = 3_000) int entities, @ForAll @IntRange(max = 500) int rows) {
        AccountCommand.RequestReport request = LedgerSamples.request(R, 10, rows, entities, null);
        List<String> all = request.request().query().entities();
        List<String> rendered = new ArrayList<>();
        for (RenderTask.RenderSlice slice : slices(LedgerSamples.RULES, request)) {
            assertThat(slice.header()).isEqualTo(rendered.isEmpty());
            rendered.addAll(slice.query().entities());
        }
        assertThat(rendered).isEqualTo(all);
    }

    @Property(tries = 200)
    void everyEntityOfAListIsInExactlyOneSlice(
            @ForAll @IntRange(min = 1, max = 3_000) int entities, @ForAll @IntRange(max = 500) int rows) {
        AccountCommand.RequestReport request = LedgerSamples.request(R, 10, rows, entities, null);
        List<String> all = request.request().query().entities();
        byte[] file = String.join("\n", all).getBytes(StandardCharsets.UTF_8);
        List<String> rendered = new ArrayList<>();
        for (RenderTask.RenderSlice slice : slices(LedgerSamples.RULES, listed(request, file, all))) {
            assertThat(slice.query().entities()).isEmpty();
            assertThat(slice.query().entityList()).isNull();
            EntityRange range = slice.range();
            assertThat(range).isNotNull();
            rendered.addAll(read(file, range));
        }
        assertThat(rendered).isEqualTo(all);
    }

    /** Parts have neighbouring entities, and their numbers differ by one at most: each file has a header. */
    @Property(tries = 200)
    void partsAreRunsOfWholeSlices(
            @ForAll @IntRange(min = 1, max = 300) int entities,
            @ForAll @IntRange(max = 500) int rows,
            @ForAll @IntRange(min = 1, max = 50) int wanted) {
        int parts = Math.min(wanted, entities);
        AccountCommand.RequestReport request =
                LedgerSamples.inParts(LedgerSamples.request(R, 10, rows, entities, null), parts);
        List<Integer> sizes = new ArrayList<>();
        List<String> rendered = new ArrayList<>();
        for (RenderTask.RenderSlice slice : slices(LedgerSamples.RULES, request)) {
            assertThat(slice.query().entities()).isNotEmpty();
            if (slice.header()) {
                sizes.add(0);
            }
            sizes.set(
                    sizes.size() - 1, sizes.getLast() + slice.query().entities().size());
            rendered.addAll(slice.query().entities());
        }
        assertThat(rendered).isEqualTo(request.request().query().entities());
        assertThat(sizes).hasSize(parts).allSatisfy(size -> assertThat(size)
                .isBetween(entities / parts, Math.ceilDiv(entities, parts)));
    }

    /** Each slice is told what is left; here every entity has one row. */
    @Property(tries = 200)
    void anOffsetAndALimitAreThoseOfTheWhole(
            @ForAll @IntRange(min = 1, max = 300) int entities,
            @ForAll @IntRange(min = 1, max = 400) int offset,
            @ForAll @IntRange(max = 60) int limit) {
        AccountCommand.RequestReport request = LedgerSamples.withOffset(
                LedgerSamples.request(R, 1_000, entities, entities, limit == 0 ? null : limit), offset);
        Map<Integer, List<String>> written = new TreeMap<>();
        slices(LedgerSamples.RULES, request, slice -> {
            List<String> rows = slice.query().entities();
            Long toSkip = slice.rowsToSkip();
            Long most = slice.rowLimit();
            long skipped = Math.min(rows.size(), toSkip == null ? 0 : toSkip);
            List<String> kept = rows.stream()
                    .skip(skipped)
                    .limit(most == null ? Long.MAX_VALUE : most)
                    .toList();
            written.put(slice.slice().slice(), kept);
            var counts = new ResultCounts(kept.size(), kept.size(), 0);
            return new AccountCommand.SliceDone(slice.slice(), LedgerSamples.file(slice.slice()), counts, skipped);
        });
        assertThat(written.values().stream().flatMap(List::stream))
                .containsExactlyElementsOf(request.request().query().entities().stream()
                        .skip(offset)
                        .limit(limit == 0 ? Long.MAX_VALUE : limit)
                        .toList());
    }

    /** The records of a report of a million domains stay far below the limit of a record. */
    @Test
    void aThousandSlicesOfAMillionEntitiesFitIntoRecords() {
        AccountCommand.RequestReport request = LedgerSamples.request(R, 10, 50_000_000, 1_000_000, null);
        List<String> all = request.request().query().entities();
        byte[] file = String.join("\n", all).getBytes(StandardCharsets.UTF_8);
        AccountCommand.RequestReport listed = listed(request, file, all);
        assertThat(Topics.ACCOUNT_COMMANDS.encode(listed).length).isLessThan(20_000);

        List<RenderTask.RenderSlice> slices = slices(THOUSAND_SLICES, listed);
        assertThat(slices).hasSize(1_000).allSatisfy(s -> assertThat(Topics.SLICES.encode(s).length)
                .isLessThan(2_000));
    }

    /** The manifest has a line for each. */
    @Test
    void aThousandPartsFitIntoRecords() {
        AccountCommand.RequestReport request =
                LedgerSamples.inParts(LedgerSamples.request(R, 10, 50_000_000, 2_000, null), 1_000);
        assertThat(slices(THOUSAND_SLICES, request)).hasSize(1_000).allMatch(RenderTask.RenderSlice::header);
    }

    /** A slice of many rows goes to the large lane, even with few entities, since it would delay small reports. */
    @ParameterizedTest
    @CsvSource({"1, 1, SMALL", "10, 2, SMALL", "11, 1, LARGE", "1, 3, LARGE"})
    void theLaneFollowsFromTheRows(long rows, int entities, Lane lane) {
        assertThat(lanes(LedgerSamples.request(R, 10, rows, entities, null))).containsOnly(lane);
    }

    /** Reading the values takes longer than a small report. */
    @Test
    void aReportWithALongFilterIsNotSmall() {
        AccountCommand.RequestReport request = LedgerSamples.request(R, 10, 1, 1, null);
        ReportQuery filtered = request.request()
                .query()
                .withFilters(Map.of("keyword", List.of("a")), Map.of("keyword", new FilterList(80_000, 1, "00")));
        assertThat(lanes(with(request, filtered))).containsOnly(Lane.LARGE);
    }

    private static List<Lane> lanes(AccountCommand.RequestReport request) {
        var ledger = new Ledger(LedgerSamples.RULES);
        var changes = new PendingChanges(new MemoryAccountReader("acme"), LedgerSamples.NOON);
        ledger.decide(changes, new AccountCommand.GrantCredits("g", 1_000, "bought"));
        ledger.decide(changes, request);
        ledger.turns(changes);
        return changes.steps().stream()
                .map(RecordedFact::fact)
                .filter(Fact.Dispatched.class::isInstance)
                .map(fact -> ((Fact.Dispatched) fact).lane())
                .toList();
    }

    private static List<RenderTask.RenderSlice> slices(LedgerRules rules, AccountCommand.RequestReport request) {
        return slices(
                rules,
                request,
                slice -> new AccountCommand.SliceDone(
                        slice.slice(), LedgerSamples.file(slice.slice()), new ResultCounts(1, 0, 0)));
    }

    private static List<RenderTask.RenderSlice> slices(
            LedgerRules rules,
            AccountCommand.RequestReport request,
            Function<RenderTask.RenderSlice, AccountCommand> worker) {
        var ledger = new Ledger(rules);
        var reader = new MemoryAccountReader("acme");
        Deque<AccountCommand> commands = new ArrayDeque<>();
        commands.add(new AccountCommand.GrantCredits("g", 1_000, "bought"));
        commands.add(request);
        List<RenderTask.RenderSlice> slices = new ArrayList<>();
        while (!commands.isEmpty()) {
            var changes = new PendingChanges(reader, LedgerSamples.NOON);
            ledger.decide(changes, commands.remove());
            ledger.turns(changes);
            for (RecordedFact step : changes.steps()) {
                if (step.fact() instanceof Fact.Dispatched d) {
                    commands.add(answer(d.task(), slices, worker));
                }
            }
            reader.save(changes);
        }
        assertThat(reader.account.openReports()).isZero();
        assertThat(reader.answers).isEmpty();
        slices.sort((a, b) -> Integer.compare(a.slice().slice(), b.slice().slice()));
        return slices;
    }

    private static AccountCommand answer(
            RenderTask task,
            List<RenderTask.RenderSlice> slices,
            Function<RenderTask.RenderSlice, AccountCommand> worker) {
        SliceRef ref = task.slice();
        return switch (task) {
            case RenderTask.RenderSlice slice -> {
                slices.add(slice);
                yield worker.apply(slice);
            }
            case RenderTask.Assemble assemble -> {
                if (!ref.namesPart()) {
                    assertThat(assemble.parts()).hasSize(slices.size());
                }
                assertThat(Topics.SLICES.encode(assemble).length).isLessThan(1_000 * 400);
                yield new AccountCommand.Assembled(ref, LedgerSamples.file(ref));
            }
            case RenderTask.WriteManifest manifest -> {
                assertThat(Topics.SLICES.encode(manifest).length).isLessThan(1_000 * 400);
                yield new AccountCommand.Assembled(ref, LedgerSamples.file(ref));
            }
        };
    }

    private static AccountCommand.RequestReport listed(AccountCommand.RequestReport r, byte[] file, List<String> all) {
        int step = EntityList.step(all.size());
        List<Long> marks = new ArrayList<>();
        long at = 0;
        for (int i = 0; i < all.size(); i++) {
            if (i % step == 0) {
                marks.add(at);
            }
            at += all.get(i).getBytes(StandardCharsets.UTF_8).length + 1;
        }
        var list = new EntityList(all.size(), file.length, Hashes.sha256(file), step, marks);
        List<String> shown = all.subList(0, Math.min(all.size(), EntityList.SHOWN));
        return with(r, r.request().query().with(shown, list));
    }

    private static AccountCommand.RequestReport with(AccountCommand.RequestReport r, ReportQuery query) {
        var request = new ReportRequest(
                query,
                r.request().webhookUrl(),
                r.request().maxCredits(),
                r.request().dialect());
        return new AccountCommand.RequestReport(
                r.reportId(), request, r.quote(), r.idempotency(), r.submittedAt(), r.traceparent());
    }

    private static List<String> read(byte[] file, EntityRange range) {
        byte[] rest = Arrays.copyOfRange(file, (int) range.offset(), file.length);
        return new String(rest, StandardCharsets.UTF_8)
                .lines()
                .skip(range.skip())
                .limit(range.count())
                .toList();
    }
}
