package millrace.files;

import java.net.URI;
import millrace.runtime.settings.Setting;
import org.jspecify.annotations.Nullable;

/**
 * Settings of S3-compatible storage.
 *
 * @param publicEndpoint presigned addresses start with it
 */
public record S3Settings(
        @Setting(
                formerly = {"gateway.s3.endpoint", "processor.s3.endpoint"},
                doc = "address of the storage, for example https://minio.example:9000; AWS if not set")
        @Nullable
        URI endpoint,

        @Setting(
                formerly = {"gateway.s3.public-endpoint", "processor.s3.public-endpoint"},
                doc = "address that clients download from, if it is not the endpoint")
        @Nullable
        URI publicEndpoint,

        @Setting(
                formerly = {"gateway.s3.region", "processor.s3.region"},
                value = "us-east-1",
                doc = "region of the bucket")
        String region,

        @Setting(
                formerly = {"gateway.s3.path-style", "processor.s3.path-style"},
                value = "false",
                doc = "whether addresses have the bucket in the path, not in the host name")
        boolean pathStyle,

        @Setting(
                formerly = {"gateway.s3.access-key", "processor.s3.access-key"},
                doc = "access key; if not set, it is taken from environment, profile or machine role, as AWS tools do")
        @Nullable
        String accessKey,

        @Setting(
                formerly = {"gateway.s3.secret-key", "processor.s3.secret-key"},
                doc = "secret of the access key")
        @Nullable
        String secretKey) {

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
