package millrace.runtime.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import millrace.contracts.accounts.KeyScope;
import millrace.runtime.settings.SettingsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccountsFileTest {
    private static final String GOOD = """
            accounts:
            - id: acme
              name: Acme
              keys:
              - kind: batch
                sha256: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                scopes: [request, read]
              - kind: rest
                sha256: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
                active: false
              credits: 1000
              entitlements:
                web_desktop_data: {countries: [US, WW], start_date: "2024-01-01", end_date: "2026-01-31"}
              limits: {open_reports: 7, history_days: 90}
              webhook_secrets: [whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw]
            """;

    @TempDir
    Path folder;

    @Test
    void readsWhatItWrites() throws IOException {
        AccountsFile read = AccountsFile.read(write(GOOD));
        assertThat(read.accounts()).singleElement().satisfies(a -> {
            assertThat(a.id()).isEqualTo("acme");
            assertThat(a.keys()).extracting(DeclaredAccount.Key::usable).containsExactly(true, false);
            assertThat(a.keys())
                    .extracting(DeclaredAccount.Key::scopes)
                    .containsExactly(Set.of(KeyScope.READ, KeyScope.REQUEST), null);
            assertThat(a.entitlements()).containsOnlyKeys("web_desktop_data");
            assertThat(a.limits()).isEqualTo(new DeclaredAccount.Limits(null, 7, 90));
        });
        assertThat(AccountsFile.read(write(read.text()))).isEqualTo(read);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            credits: 1000   | credits: -1      | credits of acme must be 0 or more
            credits: 1000   | credit: 1000     | credit
            id: acme        | id: 'a b'        | id must be 1 to 64 letters
            sha256: aaaa    | sha256: zzzz     | 64 lower-case hex digits
            kind: batch     | kind: bath       | bath
            kind: batch     | kind: rest       | a rest key has no scopes
            [request, read] | [write]          | write
            [request, read] | []               | scopes of a key must be some of read, request, webhooks
            [whsec_         | [sec_            | does not start with whsec_ or whsk_
            [whsec_MfKQ9    | [whsk_MfKQ9   | no ed25519 key
            [whsec_MfKQ9    | [whsec_%MfKQ9 | is not base64
            history_days: 90 | history_days: 0 | history_days must be from 1 to 3650: 0
            2024-01-01      | 2027-01-01       | end_date is before start_date
            name: Acme      | nam: Acme        | nam
            """)
    void saysWhatIsWrong(String part, String wrong, String message) throws IOException {
        Path file = write(GOOD.replace(part, wrong));
        assertThatThrownBy(() -> AccountsFile.read(file))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("accounts file " + file)
                .hasMessageContaining(message);
    }

    /** A file that lists no accounts says so; one that a power cut has emptied listed some. */
    @Test
    void anEmptyFileIsNoListOfNoAccounts() throws IOException {
        assertThatThrownBy(() -> AccountsFile.read(write("\n")))
                .isInstanceOf(SettingsException.class)
                .hasMessageEndingWith("accounts.yaml is empty: restore it from a copy");
        assertThat(AccountsFile.read(write("accounts: []\n")).accounts()).isEmpty();
    }

    @Test
    void aMarkIsUnderstoodAndAnotherEncodingIsSaid() throws IOException {
        Path file = folder.resolve("accounts.yaml");
        Files.write(file, ("\uFEFF" + GOOD).getBytes(StandardCharsets.UTF_16LE));
        assertThat(AccountsFile.read(file).accounts())
                .extracting(DeclaredAccount::id)
                .containsExactly("acme");
        Files.write(file, "a: 1\nname: Z\u00fcrich\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> AccountsFile.read(file))
                .hasMessageStartingWith("accounts file " + file + " cannot be read: line 2 is not UTF-8");
    }

    @Test
    void refusesTheSameKeyTwice() throws IOException {
        Path file = write(GOOD.replace("b".repeat(64), "a".repeat(64)));
        assertThatThrownBy(() -> AccountsFile.read(file)).hasMessageContaining("a key of account acme is there twice");
    }

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("accounts.yaml"), text);
    }
}
