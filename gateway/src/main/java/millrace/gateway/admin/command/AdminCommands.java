package millrace.gateway.admin.command;

import com.fasterxml.jackson.databind.node.NullNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import millrace.catalog.dataset.CapabilityCategory;
import millrace.runtime.cli.CliException;
import millrace.runtime.cli.TypedTime;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The request of each command to the admin API. Values go as they are typed: the service says what is wrong with them. */
@Command(
        name = "millrace admin",
        header = "Accounts, keys, credits and secrets of a running service. Answers are JSON.",
        synopsisSubcommandLabel = "<command>",
        commandListHeading = "%nCommands (admin <command> --help says more):%n",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        footer = {
            "",
            "admin repartition changes the number of partitions in Kafka, while no service runs:",
            "admin repartition --help says more.",
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:refused by the service",
            "2:wrong arguments, or no service",
            "3:done, but the answer could not be printed"
        },
        exitCodeOnExecutionException = AdminMain.UNWRITTEN)
final class AdminCommands {
    /** Sends a request and prints the answer. */
    interface Sender {
        /** @return the exit code */
        int send(AdminRequest request) throws CliException, InterruptedException;
    }

    private static final String EXPIRES = "When it stops opening anything: an instant like 2027-01-31T12:00:00Z, or a"
            + " day, which is its begin in UTC.";
    private static final String SCOPES = "What a batch key opens, of read, request and webhooks; all if not given.";

    @Mixin
    final AdminAddress address = new AdminAddress();

    private final Sender sender;

    AdminCommands(Sender sender) {
        this.sender = sender;
    }

    /** Of a command that changes something. */
    static final class Change {
        @Option(names = "--reason", paramLabel = "<text>", description = "Why; kept in the audit.")
        @Nullable
        String reason;
    }

    /** What an account may ask for. */
    static final class Entitlements {
        @Option(names = "--countries", required = true, paramLabel = "US,GB", split = ",", description = "Countries.")
        List<String> countries = List.of();

        @Option(names = "--from", required = true, paramLabel = "<date>", description = "First day, like 2025-01-01.")
        String from = "";

        @Option(names = "--to", required = true, paramLabel = "<date>", description = "Last day, like 2026-12-31.")
        String to = "";

        /** The same for each of these categories; null: for all. */
        Map<String, Object> of(@Nullable List<String> categories) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("countries", countries);
            one.put("start_date", from);
            one.put("end_date", to);
            Map<String, Object> all = new LinkedHashMap<>();
            if (categories == null) {
                for (CapabilityCategory category : CapabilityCategory.values()) {
                    all.put(category.word(), one);
                }
            } else {
                categories.forEach(category -> all.put(category, one));
            }
            return all;
        }
    }

    @Command(description = "Lists all accounts.")
    int accounts() throws CliException, InterruptedException {
        return sender.send(AdminRequest.ofAccounts("GET"));
    }

    @Command(description = "Shows an account.")
    int account(@Parameters(paramLabel = "<id>") String id) throws CliException, InterruptedException {
        return sender.send(AdminRequest.ofAccount("GET", id, ""));
    }

    @Command(description = "Creates an account and prints its webhook secret, once.")
    int create(
            @Parameters(paramLabel = "<id>") String id,
            @Option(names = "--name", required = true, paramLabel = "<text>") String name,
            @Option(names = "--credits", paramLabel = "<n>") @Nullable String credits,
            @Option(names = "--monthly-credits", paramLabel = "<n>") @Nullable String monthlyCredits,
            @ArgGroup(exclusive = false) @Nullable Entitlements entitlements,
            @Mixin Change change)
            throws CliException, InterruptedException {
        return sender.send(AdminRequest.ofAccounts("POST")
                .with("id", id)
                .with("name", name)
                .with("credits", number(credits))
                .with("monthly_credits", number(monthlyCredits))
                .with("entitlements", entitlements == null ? null : entitlements.of(null))
                .with("reason", change.reason));
    }

    @Command(description = "Changes an account's name.")
    int rename(
            @Parameters(paramLabel = "<id>") String id,
            @Parameters(paramLabel = "<name>") String name,
            @Mixin Change change)
            throws CliException, InterruptedException {
        return sender.send(
                AdminRequest.ofAccount("PUT", id, "/name").with("name", name).with("reason", change.reason));
    }

    @Command(description = "Refuses an account's requests; accepted reports and webhooks go on.")
    int suspend(@Parameters(paramLabel = "<id>") String id, @Mixin Change change)
            throws CliException, InterruptedException {
        return sender.send(AdminRequest.ofAccount("POST", id, "/suspend").with("reason", change.reason));
    }

    @Command(description = "Ends a suspension.")
    int resume(@Parameters(paramLabel = "<id>") String id, @Mixin Change change)
            throws CliException, InterruptedException {
        return sender.send(AdminRequest.ofAccount("POST", id, "/resume").with("reason", change.reason));
    }

    @Command(
            description = {
                "Ends an account for good: its keys, webhook secrets and subscriptions, its name and what it may ask for.",
                "Its credits and its audit stay, and its id cannot be used again."
            })
    int close(
            @Parameters(paramLabel = "<id>") String id,
            @Option(
                            names = "--erase-reports",
                            description =
                                    "Erases its reports, too, page by page, and cancels those that are processing."
                                            + " Can be repeated where it was interrupted.")
                    boolean eraseReports,
            @Mixin Change change)
            throws CliException, InterruptedException {
        int closed = sender.send(AdminRequest.ofAccount("POST", id, "/close").with("reason", change.reason));
        return eraseReports && closed == 0 ? sender.send(AdminRequest.ofAccount("DELETE", id, "/reports")) : closed;
    }

    @Command(name = "issue-key", description = "Makes a key and prints it, once.")
    int issueKey(
            @Parameters(paramLabel = "<id>") String id,
            @Parameters(paramLabel = "batch|rest") String kind,
            @Option(names = "--label", paramLabel = "<text>") @Nullable String label,
            @Option(names = "--dialect", paramLabel = "original|v3") @Nullable String dialect,
            @Option(names = "--expires", paramLabel = "<time>", description = EXPIRES) @Nullable String expires,
            @Option(names = "--scopes", paramLabel = "read,…", split = ",", description = SCOPES) @Nullable
                    List<String> scopes,
            @Mixin Change change)
            throws CliException, InterruptedException {
        return sender.send(AdminRequest.ofAccount("POST", id, "/keys")
                .with("kind", kind)
                .with("label", label)
                .with("dialect", dialect)
                .with("expires_at", TypedTime.instant(expires))
                .with("scopes", scopes)
                .with("reason", change.reason));
    }

    @Command(
            name = "change-key",
            description = "Gives a key another label, another expiry or other scopes; its id is shown by account.")
    int changeKey(
            @Parameters(paramLabel = "<id>") String id,
            @Parameters(paramLabel = "<key id>") String key,
            @Option(names = "--label", paramLabel = "<text>") @Nullable String label,
            @Option(names = "--expires", paramLabel = "<time>|never", description = EXPIRES) @Nullable String expires,
            @Option(names = "--scopes", paramLabel = "read,…|all", split = ",", description = SCOPES) @Nullable
                    List<String> scopes,
            @Mixin Change change)
            throws CliException, InterruptedException {
        Object expiry = "never".equals(expires) ? NullNode.getInstance() : TypedTime.instant(expires);
        Object opened = List.of("all").equals(scopes) ? NullNode.getInstance() : scopes;
        return sender.send(AdminRequest.ofAccount("PATCH", id, "/keys/" + AdminRequest.encoded(key))
                .with("label", label)
                .with("expires_at", expiry)
                .with("scopes", opened)
                .with("reason", change.reason));
    }

    @Command(name = "revoke-key", description = "Revokes a key; its id is shown by the command account.")
    int revokeKey(
            @Parameters(paramLabel = "<id>") String id,
            @Parameters(paramLabel = "<key id>") String key,
            @Mixin Change change)
            throws CliException, InterruptedException {
        return sender.send(AdminRequest.ofAccount("DELETE", id, "/keys/" + AdminRequest.encoded(key))
                .with("reason", change.reason));
    }

    @Command(description = "Grants credits.")
    int grant(
            @Parameters(paramLabel = "<id>") String id,
            @Parameters(paramLabel = "<credits>") String credits,
            @Option(names = "--id", paramLabel = "<grant id>", description = "The same id counts once.") @Nullable
                    String grantId,
            @Mixin Change change)
            throws CliException, InterruptedException {
        return sender.send(AdminRequest.ofAccount("POST", id, "/credits/grants")
                .with("amount", number(credits))
                .with("grant_id", grantId)
                .with("reason", change.reason));
    }

    @Command(description = "Takes back credits, at most what remains.")
    int expire(
            @Parameters(paramLabel = "<id>") String id,
            @Parameters(paramLabel = "<credits>|all") String credits,
            @Option(names = "--id", paramLabel = "<expiry id>", description = "The same id counts once.") @Nullable
                    String expiryId,
            @Mixin Change change)
            throws CliException, InterruptedException {
        return sender.send(AdminRequest.ofAccount("POST", id, "/credits/expiries")
                .with("amount", number(credits))
                .with("expiry_id", expiryId)
                .with("reason", change.reason));
    }

    @Command(description = "Shows an account's balance and its history.")
    int credits(
            @Parameters(paramLabel = "<id>") String id,
            @Option(names = "--limit", paramLabel = "<n>", description = "How many entries; 50 if not given.") @Nullable
                    String limit)
            throws CliException, InterruptedException {
        return sender.send(AdminRequest.ofAccount("GET", id, "/credits").withQuery("limit", limit));
    }

    @Command(description = "Grants credits once in each calendar month, UTC; none ends it.")
    int monthly(
            @Parameters(paramLabel = "<id>") String id,
            @Parameters(paramLabel = "<credits>|none") String credits,
            @Mixin Change change)
            throws CliException, InterruptedException {
        boolean none = credits.equals("none");
        return sender.send(AdminRequest.ofAccount(none ? "DELETE" : "PUT", id, "/monthly-credits")
                .with("amount", none ? null : number(credits))
                .with("reason", change.reason));
    }

    @Command(description = "Replaces what an account may ask for.")
    int entitle(
            @Parameters(paramLabel = "<id>") String id,
            @ArgGroup(exclusive = false, multiplicity = "1") Entitlements entitlements,
            @Option(
                            names = "--categories",
                            split = ",",
                            paramLabel = "web_desktop_data,…",
                            description = "All categories if not given.")
                    @Nullable
                    List<String> categories,
            @Mixin Change change)
            throws CliException, InterruptedException {
        // The body has categories only.
        var request = new AdminRequest(
                "PUT", AdminRequest.ofAccount("PUT", id, "/entitlements").path(), entitlements.of(categories));
        return sender.send(request.withQuery("reason", change.reason));
    }

    @Command(description = "Sets an account's limits; those not given are as the services have them.")
    int limits(
            @Parameters(paramLabel = "<id>") String id,
            @Option(names = "--requests-per-second", paramLabel = "<n>") @Nullable String requestsPerSecond,
            @Option(names = "--open-reports", paramLabel = "<n>") @Nullable String openReports,
            @Option(
                            names = "--history-days",
                            paramLabel = "<n>",
                            description = "How long reports are known after their end.")
                    @Nullable
                    String historyDays,
            @Mixin Change change)
            throws CliException, InterruptedException {
        return sender.send(AdminRequest.ofAccount("PUT", id, "/limits")
                .with("requests_per_second", number(requestsPerSecond))
                .with("open_reports", number(openReports))
                .with("history_days", number(historyDays))
                .with("reason", change.reason));
    }

    @Command(
            name = "rotate-secret",
            description = "Makes a webhook secret and prints it, once; the old one signs too meanwhile.")
    int rotateSecret(
            @Parameters(paramLabel = "<id>") String id,
            @Option(names = "--overlap", paramLabel = "<time>", description = "How long, like 24h.") @Nullable
                    String overlap,
            @Mixin Change change)
            throws CliException, InterruptedException {
        return sender.send(AdminRequest.ofAccount("POST", id, "/webhook-secrets")
                .with("overlap", overlap)
                .with("reason", change.reason));
    }

    @Command(description = "Shows who changed what in an account, and when.")
    int audit(
            @Parameters(paramLabel = "<id>") String id,
            @Option(names = "--limit", paramLabel = "<n>", description = "How many entries; 50 if not given.") @Nullable
                    String limit)
            throws CliException, InterruptedException {
        return sender.send(AdminRequest.ofAccount("GET", id, "/audit").withQuery("limit", limit));
    }

    /** A number as a number, anything else as it is. */
    private static @Nullable Object number(@Nullable String text) {
        return text != null && text.matches("-?[0-9]{1,18}") ? (Object) Long.valueOf(text) : text;
    }
}
