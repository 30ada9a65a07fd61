package millrace.files;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** The S3 client and the signer of presigned addresses. */
record S3Clients(S3Client s3, S3Presigner presigner) implements AutoCloseable {
    /** For all tries of a call together. */
    private static final Duration CALL = Duration.ofSeconds(90);
    /** For one try, which carries at most one buffer. */
    private static final Duration TRY = Duration.ofSeconds(30);

    private static final Duration CONNECT = Duration.ofSeconds(3);
    private static final int TRIES = 5;
    private static final int CONNECTIONS = 64;

    static S3Clients open(S3Settings settings) {
        AwsCredentialsProvider credentials = credentials(settings);
        var style = S3Configuration.builder()
                .pathStyleAccessEnabled(settings.pathStyle())
                .chunkedEncodingEnabled(false)
                .build();
        var s3 = S3Client.builder()
                .region(Region.of(settings.region()))
                .credentialsProvider(credentials)
                .serviceConfiguration(style)
                // Stores other than Amazon's may not understand checksums.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .httpClientBuilder(Apache5HttpClient.builder()
                        .maxConnections(CONNECTIONS)
                        .connectionTimeout(CONNECT)
                        .socketTimeout(TRY))
                .overrideConfiguration(c -> c.apiCallTimeout(CALL)
                        .apiCallAttemptTimeout(TRY)
                        .retryStrategy(StandardRetryStrategy.builder()
                                .maxAttempts(TRIES)
                                .build()));
        var presigner = S3Presigner.builder()
                .region(Region.of(settings.region()))
                .credentialsProvider(credentials)
                .serviceConfiguration(style);
        URI endpoint = settings.endpoint();
        if (endpoint != null) {
            s3.endpointOverride(endpoint);
        }
        @Nullable URI shown = settings.publicEndpoint() == null ? endpoint : settings.publicEndpoint();
        if (shown != null) {
            presigner.endpointOverride(shown);
        }
        return new S3Clients(s3.build(), presigner.build());
    }

    private static AwsCredentialsProvider credentials(S3Settings settings) {
        String key = settings.accessKey();
        String secret = settings.secretKey();
        return key == null || secret == null
                ? DefaultCredentialsProvider.builder().build()
                : StaticCredentialsProvider.create(AwsBasicCredentials.create(key, secret));
    }

    @Override
    public void close() {
        s3.close();
        presigner.close();
    }
}
