package millrace.standalone;

import java.net.URI;
import java.nio.file.Path;
import java.time.YearMonth;
import java.util.Locale;
import java.util.Optional;
import millrace.standalone.demo.DemoAccount;
import millrace.standalone.demo.DemoNames;
import millrace.standalone.folder.DataFolder;

/**
 * The text that is printed when everything is ready: the address, the keys, and command lines to
 * paste.
 */
final class WelcomeMessage {
    /** The launcher as it was typed. */
    private static final String COMMAND = System.getProperty("millrace.command", "./millrace");

    private static final Path USUAL_FOLDER = Path.of("data");

    private WelcomeMessage() {}

    static String text(Standalone standalone, DataFolder data, Optional<DemoAccount> demo) {
        return String.format(
                        Locale.ROOT,
                        """

                Millrace is ready.

                  address         %s    (try it in a browser: %s/docs)
                  Kafka           %s
                  state           %s
                %s""",
                        standalone.address(),
                        standalone.address(),
                        kafka(standalone.kafkaPort()),
                        data.root(),
                        standalone.adminAddress().map(a -> admin(a, data)).orElse(""))
                + demo.map(a -> firstSteps(standalone.address().toString(), a)).orElse("")
                + "\nCtrl-C stops. The next start goes on from here.\n";
    }

    /** For programs that read the log: what it says without the keys, which no log has. */
    static String line(Standalone standalone, DataFolder data) {
        return line(standalone.address(), standalone.kafkaPort().address(), data.root(), standalone.adminAddress());
    }

    static String line(URI address, String kafka, Path state, Optional<URI> admin) {
        return "Millrace is ready. address=" + address + " kafka=" + kafka + " state=" + state
                + admin.map(a -> " admin=" + a).orElse("");
    }

    static String kafka(KafkaPort port) {
        return port.address()
                + (port.taken().isPresent()
                        ? "    (not " + port.taken().getAsInt() + ", which is taken: give consumers this address)"
                        : "");
    }

    private static String admin(URI address, DataFolder data) {
        return "  admin API       " + address + "    (" + adminCommand(COMMAND, data.root()) + ")\n";
    }

    /** A command line that works in the folder where {@code ./millrace} was started. */
    static String adminCommand(String command, Path data) {
        boolean usual = data.equals(USUAL_FOLDER.toAbsolutePath().normalize());
        return quoted(command) + " admin accounts" + (usual ? "" : " --data " + quoted(data.toString()));
    }

    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9_./:@%+=-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    private static String firstSteps(String base, DemoAccount account) {
        // The last whole month: the current one is not accessible.
        YearMonth last = YearMonth.from(account.lastDay().plusDays(1)).minusMonths(1);
        return String.format(
                Locale.ROOT,
                """
                  batch key       %2$s
                  rest key        %3$s
                  webhook secret  %4$s

                Submit a report, read its status, download it:

                  id=$(curl -s %1$s/v3/batch/demographics/request-report -H 'api-key: %2$s' -H 'content-type: application/json' \\
                    -d '{"domains":["%5$s","%6$s"],"countries":["US","WW"],"metrics":["demographics_share","demographics_bounce_rate"],"start_date":"%7$s","end_date":"%8$s","granularity":"monthly"}' \\
                    | sed 's/.*"report_id":"\\([^"]*\\)".*/\\1/'); echo "$id"
                  curl -s "%1$s/v3/batch/request-status/$id?min_sequence=2" -H 'api-key: %2$s'; echo
                  curl -s "$(curl -s "%1$s/v3/batch/request-status/$id" -H 'api-key: %2$s' | sed 's/.*"download_url":"\\([^"]*\\)".*/\\1/')" | head -5

                What the account may ask for, and its credits:

                  curl -s '%1$s/capabilities?api_key=%3$s'
                """,
                base,
                account.batchKey(),
                account.restKey(),
                account.webhookSecret(),
                DemoNames.domains().get(0),
                DemoNames.domains().get(1),
                last.minusMonths(2),
                last);
    }
}
