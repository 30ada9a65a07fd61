package millrace.gateway.copy.reports;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import millrace.contracts.accounts.AccountState;
import millrace.contracts.commands.AccountCommand.RequestReport;
import millrace.contracts.commands.AccountCommand.RetryReport;
import millrace.contracts.reports.ErrorCode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** However the records of different topics interleave, and however often commands repeat, the model is the same. */
class ReadModelUpdaterOrderTest {
    private static final String A = SampleRecords.ACCOUNT;

    @Property(tries = 20)
    void doesNotMatter(@ForAll @IntRange(min = 1, max = 6) int reports, @ForAll long seed) {
        var random = new Random(seed);
        List<List<Consumer<ModelOnDisk>>> topics = topics(reports, random);
        try (ModelOnDisk inOrder = fold(topics, null);
                ModelOnDisk mixed = fold(topics, random)) {
            assertThat(picture(mixed.model(), reports)).isEqualTo(picture(inOrder.model(), reports));
        }
    }

    /** Records of the four topics, each in its own order; commands twice, as own acknowledgements are. */
    private static List<List<Consumer<ModelOnDisk>>> topics(int reports, Random random) {
        List<Consumer<ModelOnDisk>> commands = new ArrayList<>();
        List<Consumer<ModelOnDisk>> statuses = new ArrayList<>();
        List<Consumer<ModelOnDisk>> requests = new ArrayList<>();
        List<Consumer<ModelOnDisk>> states = new ArrayList<>();
        for (int n = 0; n < reports; n++) {
            int report = n;
            RequestReport request = SampleRecords.request(n, random.nextBoolean() ? SampleRecords.key("k" + n) : null);
            Consumer<ModelOnDisk> command =
                    m -> m.model().command(A, request, 0, report, random.nextBoolean() ? m.firstStamp() : 0);
            commands.add(command);
            commands.add(random.nextInt(commands.size()), command);
            int steps = random.nextInt(5);
            if (steps > 0) {
                requests.add(m -> m.request(
                        A, request.reportId(), request.idempotency(), new RequestPosition.Settled(0, report)));
                statuses.add(m -> m.status(SampleRecords.processing(report, 1, 1)));
            }
            if (steps == 2) {
                statuses.add(m -> m.status(SampleRecords.complete(report, 1, 2)));
            }
            if (steps > 2) {
                statuses.add(m -> m.status(SampleRecords.failed(report, 1, 2, ErrorCode.RENDER_FAILED)));
                commands.add(m -> m.command(A, new RetryReport(request.reportId(), 2), 0, 100 + report));
            }
            if (steps > 3) {
                statuses.add(m -> m.status(SampleRecords.processing(report, 2, 3)));
            }
            int sequence = n;
            states.add(m -> m.accountState(new AccountState(A, 10_000, 0, 0, 10_000 - sequence, sequence, sequence)));
        }
        return List.of(commands, statuses, requests, states);
    }

    private static ModelOnDisk fold(
            List<List<Consumer<ModelOnDisk>>> topics, @org.jspecify.annotations.Nullable Random random) {
        var model = new ModelOnDisk();
        List<List<Consumer<ModelOnDisk>>> left =
                new ArrayList<>(topics.stream().map(ArrayList::new).toList());
        left.removeIf(List::isEmpty);
        while (!left.isEmpty()) {
            left.get(random == null ? 0 : random.nextInt(left.size()))
                    .removeFirst()
                    .accept(model);
            left.removeIf(List::isEmpty);
        }
        return model;
    }

    private static String picture(ReadModel model, int reports) {
        var picture = new StringBuilder("remaining " + model.remaining(A) + ", open " + model.open());
        for (int n = 0; n < reports; n++) {
            ReportView view = model.report(A, SampleRecords.id(n)).orElseThrow();
            picture.append("\n").append(view.status()).append(view.request());
            var wanted = new Reservation(SampleRecords.id(n), 1, SampleRecords.CREDITS, SampleRecords.key("k" + n));
            picture.append(model.standing(A, wanted, List.of()));
        }
        model.history(A, null, HistoryFilter.ALL, 100).found().forEach(r -> picture.append("\n")
                .append(r.cursor()));
        return picture.toString();
    }
}
