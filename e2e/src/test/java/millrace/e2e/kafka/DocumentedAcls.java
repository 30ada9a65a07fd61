package millrace.e2e.kafka;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** The ACLs of the services, as the manual lists them. */
final class DocumentedAcls {
    private static final Pattern ROW = Pattern.compile(
            "(?m)^\\| (\\w+) \\| (topic|group|transactional_id) \\| (literal|prefixed) \\| ([^|]+) \\| ([^|]+) \\|$");

    private DocumentedAcls() {}

    static List<AclBinding> documented() throws IOException {
        List<AclBinding> bindings = new ArrayList<>();
        Matcher row = ROW.matcher(Files.readString(Path.of("../docs/guides/secure-connections.md")));
        while (row.find()) {
            var type = ResourceType.valueOf(row.group(2).toUpperCase(Locale.ROOT));
            var pattern = PatternType.valueOf(row.group(3).toUpperCase(Locale.ROOT));
            for (String name : row.group(4).replace("`", "").split(",", -1)) {
                for (String operation : row.group(5).split(",", -1)) {
                    bindings.add(new AclBinding(
                            new ResourcePattern(type, name.strip(), pattern),
                            new AccessControlEntry(
                                    "User:" + row.group(1),
                                    "*",
                                    AclOperation.fromString(operation.strip().replaceAll("([a-z])([A-Z])", "$1_$2")),
                                    AclPermissionType.ALLOW)));
                }
            }
        }
        return bindings;
    }
}
