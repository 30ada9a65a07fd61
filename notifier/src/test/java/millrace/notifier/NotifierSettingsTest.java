package millrace.notifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Map;
import millrace.runtime.settings.Settings;
import millrace.runtime.settings.SettingsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NotifierSettingsTest {
    @Test
    void theDefaultsAreThoseOfTheContract() {
        NotifierSettings settings = read(Map.of());
        assertThat(settings.deadline()).isEqualTo(Duration.ofSeconds(5));
        assertThat(settings.retries())
                .containsExactly(
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(30),
                        Duration.ofMinutes(2),
                        Duration.ofMinutes(10),
                        Duration.ofMinutes(30),
                        Duration.ofHours(2),
                        Duration.ofHours(5),
                        Duration.ofHours(10),
                        Duration.ofHours(10));
        assertThat(settings.schedule().jitter()).isEqualTo(0.2);
        assertThat(settings.inFlightPerEndpoint()).isEqualTo(4);
        assertThat(settings.allowedAddresses()).isEmpty();
    }

    @Test
    void blockedAddressesAreNotReached() throws Exception {
        NotifierSettings settings = read(Map.of(
                "notifier.allowed-addresses", "10.0.0.0/8", "notifier.blocked-addresses", "10.1.0.0/16,8.8.8.8"));
        assertThat(settings.addresses().allows(InetAddress.getByName("10.2.0.1")))
                .isTrue();
        assertThat(settings.addresses().allows(InetAddress.getByName("10.1.0.1")))
                .isFalse();
        assertThat(settings.addresses().allows(InetAddress.getByName("8.8.8.8")))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            retries              | 5s,soon   | setting notifier.retries is a duration like 500ms, 5s, 10m, 2h or 30d, not "soon"
            retry-jitter-percent | 120       | setting notifier: retry jitter must be from 0 to 1, not 1.2
            allowed-addresses    | 10.0.0/8  | setting notifier: not a range of addresses like 10.0.0.0/8: 10.0.0/8
            blocked-addresses    | 10.0.0/8  | setting notifier: not a range of addresses like 10.0.0.0/8: 10.0.0/8
            window               | 0         | setting notifier: window and held-events must be at least 1, not 0 and 1000000
            in-flight            | 0         | setting notifier: in-flight must be at least 1, not 0
            sender-threads       | -1        | setting notifier: sender-threads must be at least 0, not -1
            deadline             | 0s        | setting notifier: deadline in ms must be at least 1, not 0
            """)
    void saysWhatIsWrong(String key, String value, String message) {
        assertThatThrownBy(() -> read(Map.of("notifier." + key, value)))
                .isInstanceOf(SettingsException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 1", "0, 2, 1", "0, 3, 1", "0, 4, 2", "0, 8, 4", "0, 64, 4", "1, 64, 1", "6, 2, 6"})
    void sendsWithAThreadForTwoCoresWhereItIsNotSet(String set, int cores, int threads) {
        assertThat(read(Map.of("notifier.sender-threads", set)).senderThreads(cores))
                .isEqualTo(threads);
    }

    private static NotifierSettings read(Map<String, String> values) {
        return Settings.sectionOf("notifier", NotifierSettings.class, values);
    }

    @ParameterizedTest
    @CsvSource({"72h, 72h", "20d, 20d", "21d, 20d", "36500d, 20d"})
    void nothingWaitsInTheSourceForAsLongAsThatKeepsRecords(String giveUpAfter, String ofBacklog) {
        assertThat(read(Map.of("notifier.give-up-after", giveUpAfter)).giveUpBacklogAfter())
                .isEqualTo(read(Map.of("notifier.give-up-after", ofBacklog)).giveUpAfter());
    }
}
