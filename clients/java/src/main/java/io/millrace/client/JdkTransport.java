package io.millrace.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Sends requests with the JDK's client. By itself that client limits only the time until an answer begins. */
final class JdkTransport implements Transport {
    private static final ScheduledThreadPoolExecutor TIMER = timer();

    private final HttpClient client;

    JdkTransport(HttpClient client) {
        this.client = client;
    }

    @Override
    public Response send(Request request) throws IOException, InterruptedException {
        HttpRequest.Builder builder = HttpRequest.newBuilder(request.uri())
                .timeout(request.timeout())
                .method(
                        request.method(),
                        request.body().length == 0
                                ? BodyPublishers.noBody()
                                : BodyPublishers.ofByteArray(request.body()))
                .setHeader("user-agent", "millrace-java/" + Client.VERSION);
        request.headers().forEach(builder::setHeader);
        HttpResponse<InputStream> response = client.send(builder.build(), BodyHandlers.ofInputStream());
        return new Response(
                response.statusCode(),
                name -> response.headers().firstValue(name).orElse(null),
                new TimedBody(response.body(), request.timeout()));
    }

    private static ScheduledThreadPoolExecutor timer() {
        var timer = new ScheduledThreadPoolExecutor(1, task -> {
            var thread = new Thread(task, "millrace-client-timer");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }

    /** A body of which no read takes longer than the limit. */
    private static final class TimedBody extends FilterInputStream {
        private final Duration limit;
        private volatile boolean late;

        TimedBody(InputStream in, Duration limit) {
            super(in);
            this.limit = limit;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            ScheduledFuture<?> alarm = TIMER.schedule(this::tooLate, limit.toNanos(), TimeUnit.NANOSECONDS);
            try {
                return in.read(bytes, from, length);
            } catch (IOException e) {
                throw late ? new SocketTimeoutException("nothing came in time") : e;
            } finally {
                alarm.cancel(false);
            }
        }

        private void tooLate() {
            late = true;
            try {
                close();
            } catch (IOException e) {
                // It is closed.
            }
        }
    }
}
