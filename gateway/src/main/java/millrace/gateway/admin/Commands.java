package millrace.gateway.admin;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import millrace.catalog.Category;
import millrace.catalog.Nearest;
import org.jspecify.annotations.Nullable;

/** What each command of {@code millrace admin} asks of the admin API. */
final class Commands {
    private static final String ACCOUNTS = "/admin/v1/accounts";
    private static final List<String> NAMES = List.of(
            "accounts",
            "account",
            "create",
            "rename",
            "suspend",
            "resume",
            "issue-key",
            "revoke-key",
            "grant",
            "expire",
            "credits",
            "monthly",
            "entitle",
            "limits",
            "rotate-secret",
            "audit");

    private Commands() {}

    static String usage() {
        return """
                Accounts, keys, credits and secrets of a running service. Answers are JSON.

                usage: millrace admin <command> …

                  accounts                              all accounts
                  account <id>                          one of them
                  create <id> --name <text>             a new one; prints its webhook secret, once
                      [--credits n] [--monthly-credits n] [--countries US,GB --from 2024-01-01 --to 2026-12-31]
                  rename <id> <name>
                  suspend <id> | resume <id>            its requests are refused meanwhile; accepted reports and webhooks go on
                  issue-key <id> batch|rest             prints the key, once  [--label <text>] [--dialect original]
                  revoke-key <id> <key id>
                  grant <id> <credits>                  [--id <grant id>: the same id counts once]
                  expire <id> <credits>|all             takes back at most what remains  [--id <expiry id>]
                  credits <id>                          balance and history  [--limit 50]
                  monthly <id> <credits>|none           granted once in each calendar month, UTC
                  entitle <id> --countries US,GB --from 2024-01-01 --to 2026-12-31
                      [--categories web_desktop_data,…]  all categories where not said; replaces what there was
                  limits <id> [--requests-per-second n] [--open-reports n]    what is not said is as the gateway has it
                  rotate-secret <id> [--overlap 24h]    prints the new webhook secret, once; the old one signs too meanwhile
                  audit <id>                            who changed what, when  [--limit 50]

                  --reason <text>    with every change: why
                  --address <url>    of the admin API; else MILLRACE_ADMIN_ADDRESS, else that of ./millrace, else http://127.0.0.1:8081
                  --key-file <file>  with the admin key; else MILLRACE_ADMIN_KEY, else that of ./millrace
                  --ca-file <file>   with the certificates (PEM) to trust where the address is https; else those that Java trusts
                  --data <folder>    the data folder of ./millrace, for the two above [data]
                """;
    }

    static Ask of(Typed t) throws Wrong {
        String command = t.words().isEmpty() ? "" : t.words().getFirst();
        return switch (command) {
            case "accounts" -> Ask.get(at(t.expect(""), ""));
            case "account" -> Ask.get(at(t.expect("id"), ""));
            case "create" ->
                create(t.expect("id", "name", "credits", "monthly-credits", "countries", "from", "to", "reason"));
            case "rename" ->
                change("PUT", t.expect("id name", "reason"), "/name").with("name", t.word(2));
            case "suspend", "resume" -> change("POST", t.expect("id", "reason"), "/" + command);
            case "issue-key" ->
                change("POST", t.expect("id kind", "label", "dialect", "reason"), "/keys")
                        .with("kind", t.word(2))
                        .with("label", t.option("label"))
                        .with("dialect", t.option("dialect"));
            case "revoke-key" -> change("DELETE", t.expect("id key", "reason"), "/keys/" + t.part(2));
            case "grant" ->
                change("POST", t.expect("id credits", "id", "reason"), "/credits/grants")
                        .with("amount", Typed.asNumber(t.word(2)))
                        .with("grant_id", t.option("id"));
            case "expire" ->
                change("POST", t.expect("id credits", "id", "reason"), "/credits/expiries")
                        .with("amount", Typed.asNumber(t.word(2)))
                        .with("expiry_id", t.option("id"));
            case "credits" -> Ask.get(at(t.expect("id", "limit"), "/credits" + limit(t)));
            case "audit" -> Ask.get(at(t.expect("id", "limit"), "/audit" + limit(t)));
            case "monthly" -> monthly(t.expect("id credits", "reason"));
            case "entitle" -> entitle(t.expect("id", "countries", "from", "to", "categories", "reason"));
            case "limits" ->
                change("PUT", t.expect("id", "requests-per-second", "open-reports", "reason"), "/limits")
                        .with("requests_per_second", t.number("requests-per-second"))
                        .with("open_reports", t.number("open-reports"));
            case "rotate-secret" ->
                change("POST", t.expect("id", "overlap", "reason"), "/webhook-secrets")
                        .with("overlap", t.option("overlap"));
            default ->
                throw new Wrong("unknown command " + command + Nearest.suggestion(command, NAMES) + "; try --help");
        };
    }

    private static Ask create(Typed t) throws Wrong {
        return Ask.of("POST", ACCOUNTS)
                .with("id", t.word(1))
                .with("name", t.option("name"))
                .with("credits", t.number("credits"))
                .with("monthly_credits", t.number("monthly-credits"))
                .with("entitlements", t.option("countries") == null ? null : entitlements(t, null))
                .with("reason", t.option("reason"));
    }

    private static Ask monthly(Typed t) {
        return t.word(2).equals("none")
                ? change("DELETE", t, "/monthly-credits")
                : change("PUT", t, "/monthly-credits").with("amount", Typed.asNumber(t.word(2)));
    }

    private static Ask entitle(Typed t) throws Wrong {
        // The body has categories only.
        String why = t.option("reason");
        String reason = why == null ? "" : "?reason=" + Typed.encoded(why);
        return new Ask("PUT", at(t, "/entitlements" + reason), entitlements(t, t.option("categories")));
    }

    private static Map<String, Object> entitlements(Typed t, @Nullable String categories) throws Wrong {
        String countries = t.option("countries");
        if (countries == null || t.option("from") == null || t.option("to") == null) {
            throw new Wrong("--countries, --from and --to go together; try --help");
        }
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("countries", List.of(countries.split(",", -1)));
        one.put("start_date", t.option("from"));
        one.put("end_date", t.option("to"));
        Map<String, Object> all = new LinkedHashMap<>();
        for (Category category : Category.values()) {
            all.put(category.word(), one);
        }
        if (categories == null) {
            return all;
        }
        Map<String, Object> chosen = new LinkedHashMap<>();
        List.of(categories.split(",", -1)).forEach(c -> chosen.put(c, one));
        return chosen;
    }

    private static Ask change(String method, Typed t, String rest) {
        return Ask.of(method, at(t, rest)).with("reason", t.option("reason"));
    }

    private static String at(Typed t, String rest) {
        return ACCOUNTS + (t.words().size() > 1 ? "/" + t.part(1) : "") + rest;
    }

    private static String limit(Typed t) {
        return t.option("limit") == null ? "" : "?limit=" + t.option("limit");
    }
}
