package millrace.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The event feed on the terminal. */
class EventsTest {
    @TempDir
    Path home;

    private final TestFeed feed = new TestFeed();
    private TestService service;

    @BeforeEach
    void start() throws IOException {
        service = TestService.start().on(TestFeed.TARGET, feed);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void printsALineForEachEvent() {
        feed.event("report", """
                {"id":"r.1","occurred_at":"2026-11-20T10:00:00.123Z","report":{"report_id":"845d","dataset":"keywords",\
                "status":"processing","phase":"rendering","progress":0.5}}""")
                .event("report", """
                {"id":"r.2","occurred_at":"2026-11-20T10:00:01Z","report":{"report_id":"845d","dataset":"keywords",\
                "status":"complete","used_quota":1200}}""")
                .event("delivery", """
                {"id":"d.1","occurred_at":"2026-11-20T10:00:02Z","delivery":{"id":"845d.2","report_id":"845d","sequence":2,\
                "attempt":1,"outcome":"failed","http_status":500,"next_attempt_at":"2026-11-20T10:00:07Z",\
                "held_until":"2026-11-20T10:05:00Z","held_reason":"failing"}}""")
                .event("credits", """
                {"id":"c.1","occurred_at":"2026-11-20T10:00:03Z","entry":{"kind":"settlement","amount":1200,\
                "remaining":8800,"report_id":"845d"}}""")
                .event("balance_low", "{\"id\":\"c.1.low\",\"remaining\":88,\"threshold\":100}")
                .event("data_version_available", """
                {"id":"v.1","occurred_at":"2026-11-20T10:00:04Z","data":{"dataset":"keywords","sequence":3,"version":"v3",\
                "change":"published","periods":{"monthly":{"first":"2025-10-01","last":"2026-10-01"}}}}""")
                .event("later", "{\"id\":\"x\",\"n\":1}");
        Typed.Result printed = new Typed(home, service).run("events", "--follow", "--count", "7", "--types", "report");
        assertThat(printed.out()).isEqualTo("""
                2026-11-20 10:00:00  report       845d  keywords  processing rendering 50 %
                2026-11-20 10:00:01  report       845d  keywords  complete  1,200 credits
                2026-11-20 10:00:02  delivery     845d.2  attempt 1  failed 500  again at 2026-11-20 10:00:07  URL held until 2026-11-20 10:05:00 (failing)
                2026-11-20 10:00:03  credits      settlement 1,200, 8,800 left  845d
                balance_low  88 credits left, fewer than 100
                2026-11-20 10:00:04  data_version_available  keywords  version v3 published  monthly 2025-10-01 to 2026-10-01
                later        {"id":"x","n":1}
                """);
        assertThat(service.requests(TestFeed.TARGET).getFirst().uri().getQuery())
                .isEqualTo("types=report");
    }

    @Test
    void goesOnWhereTheConnectionBroke() {
        for (int i = 1; i <= 5; i++) {
            feed.event("report", "{\"id\":\"r." + i + "\"}");
        }
        // The third time before any event, of which only the position without one tells where it was.
        feed.breakAfter(2).breakAfter(1);
        Typed typed = new Typed(home, service);
        Typed.Result printed = typed.run("events", "--json", "--count", "5", "--quiet");
        assertThat(printed.out())
                .isEqualTo(
                        "{\"id\":\"r.1\"}\n{\"id\":\"r.2\"}\n{\"id\":\"r.3\"}\n{\"id\":\"r.4\"}\n{\"id\":\"r.5\"}\n");
        assertThat(feed.positions()).containsExactly("null", "p2", "p3");
        assertThat(typed.pauses()).as("the feed asks for 3 ms").containsOnly(Duration.ofMillis(500));
    }

    @Test
    void losesNothingWhereItBreaksBeforeTheFirstEvent() {
        feed.breakAfter(-1);
        var running = new Typed(home, service).start("events", "--json", "--count", "1");
        feed.event("report", "{\"id\":\"r.1\"}");
        assertThat(running.join().out()).isEqualTo("{\"id\":\"r.1\"}\n");
        assertThat(feed.positions()).containsExactly("null", "start");
    }

    @Test
    void leavesOutWhatComesTwice() {
        feed.event("report", "{\"id\":\"r.1\"}")
                .event("report", "{\"id\":\"r.1\"}")
                .event("report", "{\"id\":\"r.2\"}");
        assertThat(new Typed(home, service)
                        .run("events", "--json", "--count", "2", "--since", "start")
                        .out())
                .isEqualTo("{\"id\":\"r.1\"}\n{\"id\":\"r.2\"}\n");
        assertThat(feed.positions()).containsExactly("start");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--json", "--no-color"})
    void endsWhereNobodyReadsOn(String form) {
        for (int i = 1; i <= 3; i++) {
            feed.event("report", "{\"id\":\"r." + i + "\"}");
        }
        Typed.Result printed = new Typed(home, service).behindHead().run("events", "--count", "3", form);
        assertThat(printed.code()).isEqualTo(1);
        assertThat(printed.err())
                .isEqualTo(
                        "millrace events: the output could not be written: the disk is full, or nobody reads it any more\n");
        assertThat(printed.out().lines()).hasSize(1);
    }

    @Test
    void waitsForAServiceThatIsNotReady() {
        feed.event("report", "{\"id\":\"r.1\"}");
        service.on(
                TestFeed.TARGET,
                TestService.problem(503, "The feed is not ready.", "Retry-After", "4"),
                TestService.problem(429, "Too many feeds.", "Retry-After", "9"),
                feed);
        Typed typed = new Typed(home, service);
        Typed.Result printed = typed.run("events", "--count", "1");
        assertThat(printed.code()).isZero();
        assertThat(printed.err()).startsWith("The feed is not ready.; trying again");
        assertThat(typed.pauses()).extracting(Duration::toSeconds).containsExactly(4L, 9L);
        service.on(TestFeed.TARGET, TestService.problem(401, "The key is not valid."));
        assertThat(typed.run("events").code()).isEqualTo(4);
    }
}
