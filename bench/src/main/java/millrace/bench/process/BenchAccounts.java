package millrace.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import millrace.contracts.Hashes;
import millrace.contracts.accounts.AccountRecord;
import millrace.runtime.accounts.AccountsFile;
import millrace.runtime.accounts.DeclaredAccount;

/** Accounts that may do everything, and whose webhooks are signed. */
public final class BenchAccounts {
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    private BenchAccounts() {}

    /** The API key of an account. */
    public static String key(String account) {
        return account + "-key";
    }

    /** Writes {@code accounts.yaml}. */
    public static Path write(Path folder, Stream<String> ids) throws IOException {
        var all = new DeclaredAccount.Entitlement(
                List.of("US", "GB", "WW"), LocalDate.parse("2020-01-01"), LocalDate.parse("2026-12-31"));
        var accounts = new AccountsFile(ids.map(id -> new DeclaredAccount(
                        id,
                        id,
                        List.of(new DeclaredAccount.Key(
                                AccountRecord.KeyKind.BATCH, Hashes.sha256(key(id)), null, null)),
                        1_000_000_000_000L,
                        Map.of("web_desktop_data", all, "web_mobile_data", all),
                        null,
                        List.of(SECRET)))
                .toList());
        return Files.writeString(folder.resolve("accounts.yaml"), accounts.text());
    }
}
