package millrace.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import millrace.gateway.settings.GatewaySettings;
import millrace.notifier.NotifierSettings;
import millrace.processor.bootstrap.ProcessorSettings;
import millrace.runtime.settings.Settings;
import org.junit.jupiter.api.Test;

/** The settings and defaults on the page about memory exist. */
class MemoryPageTest {
    private static final Pattern SETTING =
            Pattern.compile("`((?:gateway|processor|notifier)\\.[a-z0-9.-]+)`( \\(\\S+\\))?");

    @Test
    void namesSettingsAndTheirDefaults() throws IOException {
        List<String> help = Settings.help(
                        Map.of(
                                "gateway", GatewaySettings.class,
                                "processor", ProcessorSettings.class,
                                "notifier", NotifierSettings.class),
                        true)
                .lines()
                .map(String::strip)
                .toList();
        List<MatchResult> named = SETTING.matcher(Files.readString(Path.of("../docs/reference/memory.md")))
                .results()
                .toList();
        assertThat(named).hasSizeGreaterThan(10).allSatisfy(setting -> {
            assertThat(setting.group(2)).as("default of %s", setting.group(1)).isNotNull();
            String value = setting.group(2).strip().replaceAll("[()]", "");
            assertThat(help)
                    .as("%s with default %s", setting.group(1), value)
                    .anyMatch(line -> line.startsWith(setting.group(1) + " ") && line.endsWith("[" + value + "]"));
        });
    }
}
