package millrace.files.s3;

import java.net.URI;
import millrace.runtime.settings.Setting;
import org.jspecify.annotations.Nullable;

/**
 * Settings of S3-compatible storage.
 *
 * @param publicEndpoint presigned addresses start with it
 */
public record S3Settings(
        @Setting(doc = "address of the storage, for example https://minio.example:9000; AWS where not set") @Nullable
        URI endpoint,

        @Setting(doc = "address that clients download from, where it differs from the endpoint") @Nullable
        URI publicEndpoint,

        @Setting(value = "us-east-1", doc = "region of the bucket")
        String region,

        @Setting(value = "false", doc = "whether addresses have the bucket in the path, not in the host name")
        boolean pathStyle,

        @Setting(doc = "access key; where not set, taken from environment, profile or machine role, as AWS tools do")
        @Nullable
        String accessKey,

        @Setting(doc = "secret of the access key") @Nullable String secretKey) {

    public S3Settings {
        if ((accessKey == null) != (secretKey == null)) {
            throw new IllegalArgumentException("access-key and secret-key go together");
        }
        if (region.isBlank()) {
            throw new IllegalArgumentException("region is empty");
        }
    }

    /** Leaves the secret out. */
    @Override
    public String toString() {
        return "S3Settings[endpoint=" + endpoint + ", region=" + region + ", pathStyle=" + pathStyle + ", accessKey="
                + accessKey + "]";
    }
}
