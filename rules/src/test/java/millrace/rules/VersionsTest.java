package millrace.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The libraries for clients have the version of the service that they come with. */
class VersionsTest {
    @Test
    void allLibrariesHaveTheVersionOfTheService() throws IOException {
        String version = first("pom.xml", "<version>([^<]+)</version>");
        assertThat(first("clients/java/pom.xml", "<version>([^<]+)</version>")).isEqualTo(version);
        assertThat(first("clients/java/README.md", "<version>([^<]+)</version>"))
                .isEqualTo(version);
        assertThat(first("clients/java/src/main/java/io/millrace/client/Client.java", "VERSION = \"([^\"]+)\""))
                .isEqualTo(version);
        assertThat(first("clients/javascript/package.json", "\"version\": \"([^\"]+)\""))
                .isEqualTo(version);
        assertThat(first("clients/javascript/millrace.js", "VERSION = '([^']+)'"))
                .isEqualTo(version);
        assertThat(first("clients/python/millrace/__init__.py", "__version__ = \"([^\"]+)\""))
                .as("as Python writes it")
                .isEqualTo(version.replace("-SNAPSHOT", ".dev0"));
    }

    private static String first(String file, String pattern) throws IOException {
        Matcher found = Pattern.compile(pattern).matcher(Files.readString(Sources.ROOT.resolve(file)));
        assertThat(found.find()).as(file).isTrue();
        return found.group(1);
    }
}
