package millrace.processor.data.importing;


import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Imports on machines of other time zones and languages make the same of the same file. */
class ImportElsewhereIT {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"America/New_York, en, US", "Pacific/Apia, tr, TR", "Africa/Cairo, ar, EG"})
    void meansTheSame(String zone, String language, String country) throws Exception {
        Path file = new ImportFixture(folder)
                .parquet(
                        "typed.parquet",
                        "SELECT 'tide' AS keyword, 'US' AS country, 1 AS all_keyword_volume,"
                                + " TIMESTAMPTZ '2026-10-01 00:00:00+00' AS date");
        var builder = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Duser.language=" + language,
                        "-Duser.country=" + country,
                        "-cp",
                        System.getProperty("java.class.path"),
                        ImportMain.class.getName(),
                        "keywords",
                        file.toString(),
                        "--data",
                        folder.toString()))
                .redirectErrorStream(true);
        builder.environment().put("TZ", zone);
        Process imports = builder.start();
        try {
            String said = new String(imports.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(imports.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(said).contains("is current: 1 rows");
        } finally {
            imports.destroyForcibly();
        }
    }
}
