# The images. They build what they need; the build is one for all of them.
#   docker build -t millrace .        all of Millrace in one process
#   docker compose up --build         each service in its own: docker-compose.yml
#
# Only the pom.xml files: what Maven fetches for them stays until one of them changes.
FROM eclipse-temurin:25-jre AS poms
COPY . /poms
RUN cd /poms && find . -depth \( -type f ! -name pom.xml ! -path './.mvn/*' -o -type d -empty \) -delete

FROM maven:3.9-eclipse-temurin-25 AS build
ARG MODULES=gateway,processor,notifier,standalone
COPY --from=poms /poms /poms
RUN cd /poms && mvn -B -q -Dchecks=off -pl $MODULES -am package
COPY . /millrace
RUN cd /millrace && mvn -B -q -Dchecks=off -pl $MODULES -am package

FROM eclipse-temurin:25-jre AS gateway-service
# Volumes take their owner from here.
RUN mkdir /data /state && chown 10001:10001 /data /state
COPY docker/commands/millrace-admin /usr/local/bin/
# The libraries first: a change of our own code replaces only the layer after them, which is small.
COPY --from=build /millrace/gateway/target/app/lib /app/lib
COPY --from=build /millrace/gateway/target/app/millrace /app/millrace
# For millrace-admin repartition, which knows how the ledger keeps its state: what the gateway itself does not need of that.
COPY --from=build /millrace/processor/target/app/lib/kafka-streams-*.jar /millrace/processor/target/app/millrace/millrace-processor-*.jar /app/repartition/
# What starts it, with the class path in an order of its own: what the next stage writes fits this one alone. Known reports live long: the collector
# of a large heap shall not look through all of them before 60 % of it are taken.
RUN echo '-XX:MaxRAMPercentage=60 -XX:-G1UseAdaptiveIHOP -XX:InitiatingHeapOccupancyPercent=60 -XX:+UseCompactObjectHeaders -XX:+ExitOnOutOfMemoryError "-XX:OnOutOfMemoryError=echo millrace: out of memory: give the container more, of which 60 percent are its heap >&2" --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow' \
  "-cp $( (ls /app/millrace/*.jar; ls /app/lib/*.jar) | paste -s -d : -)" >/app/options

# Starts it once: the JVM writes down the classes as it has them in memory, and later starts need not read and check them.
FROM gateway-service AS gateway-aot
COPY --from=apache/kafka:4.3.1 /opt/kafka/libs /kafka
RUN head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n' >/tmp/secret && \
  java -cp '/app/millrace/*:/app/lib/*' millrace.runtime.aot.AotCacheMain '/kafka/*' /app/classes.aot @/app/options millrace.gateway.bootstrap.GatewayMain \
  --storage.reports=s3://reports \
  --storage.s3.endpoint={storage} --storage.s3.path-style --storage.s3.access-key=none --storage.s3.secret-key=none \
  --gateway.port=0 --gateway.admin.port=0 --gateway.admin.keys=/tmp/secret --gateway.accounts=/tmp/none --gateway.accounts-key=/tmp/secret --storage.link-secret=/tmp/secret --gateway.statement-key=/tmp/secret \
  --gateway.activity.directory=/tmp/activity --gateway.read-model.directory=/tmp/read-model \
  --gateway.deliveries.directory=/tmp/deliveries

FROM gateway-service AS gateway
COPY --from=gateway-aot /app/classes.aot /app/classes.aot
USER 10001:10001
WORKDIR /data
ENTRYPOINT ["java", "@/app/options", "-XX:AOTCache=/app/classes.aot", "-Xlog:aot*=off", "millrace.gateway.bootstrap.GatewayMain"]

FROM eclipse-temurin:25-jre AS processor-service
RUN mkdir /data /warehouse /state && chown 10001:10001 /data /warehouse /state
COPY docker/commands/millrace /usr/local/bin/
COPY --from=build /millrace/processor/target/app/lib /app/lib
COPY --from=build /millrace/processor/target/app/millrace /app/millrace
RUN echo '-XX:MaxRAMPercentage=60 -XX:+UseCompactObjectHeaders -XX:+ExitOnOutOfMemoryError "-XX:OnOutOfMemoryError=echo millrace: out of memory: give the container more, of which 60 percent are its heap >&2" --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow' \
  "-cp $( (ls /app/millrace/*.jar; ls /app/lib/*.jar) | paste -s -d : -)" >/app/options

FROM processor-service AS processor-aot
COPY --from=apache/kafka:4.3.1 /opt/kafka/libs /kafka
RUN head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n' >/tmp/secret && \
  java -cp '/app/millrace/*:/app/lib/*' millrace.runtime.aot.AotCacheMain '/kafka/*' /app/classes.aot @/app/options millrace.processor.bootstrap.ProcessorMain \
  --storage.reports=s3://reports \
  --storage.s3.endpoint={storage} --storage.s3.path-style --storage.s3.access-key=none --storage.s3.secret-key=none \
  --processor.warehouse=/warehouse --processor.state=/tmp/state --processor.duckdb.temp-directory=/tmp/scratch --storage.link-secret=/tmp/secret

FROM processor-service AS processor
COPY --from=processor-aot /app/classes.aot /app/classes.aot
USER 10001:10001
WORKDIR /data
ENTRYPOINT ["java", "@/app/options", "-XX:AOTCache=/app/classes.aot", "-Xlog:aot*=off", "millrace.processor.bootstrap.ProcessorMain"]

FROM eclipse-temurin:25-jre AS notifier-service
RUN mkdir /data && chown 10001:10001 /data
COPY --from=build /millrace/notifier/target/app/lib /app/lib
COPY --from=build /millrace/notifier/target/app/millrace /app/millrace
RUN echo '-XX:MaxRAMPercentage=60 -XX:+UseCompactObjectHeaders -XX:+ExitOnOutOfMemoryError "-XX:OnOutOfMemoryError=echo millrace: out of memory: give the container more, of which 60 percent are its heap >&2" --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow' \
  "-cp $( (ls /app/millrace/*.jar; ls /app/lib/*.jar) | paste -s -d : -)" >/app/options

FROM notifier-service AS notifier-aot
COPY --from=apache/kafka:4.3.1 /opt/kafka/libs /kafka
RUN head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n' >/tmp/secret && \
  java -cp '/app/millrace/*:/app/lib/*' millrace.runtime.aot.AotCacheMain '/kafka/*' /app/classes.aot @/app/options millrace.notifier.bootstrap.NotifierMain \
  --notifier.accounts=/tmp/none --notifier.accounts-key=/tmp/secret

FROM notifier-service AS notifier
COPY --from=notifier-aot /app/classes.aot /app/classes.aot
USER 10001:10001
WORKDIR /data
ENTRYPOINT ["java", "@/app/options", "-XX:AOTCache=/app/classes.aot", "-Xlog:aot*=off", "millrace.notifier.bootstrap.NotifierMain"]

# All of it in one process, as ./millrace starts it: docker run --rm -p 127.0.0.1:8080:8080 -v millrace:/data millrace
FROM eclipse-temurin:25-jre AS standalone
RUN mkdir -p /data/warehouse /data/objects /data/grafana /give/gateway /give/processor /give/notifier /give/storage && \
  chown -R 10001:10001 /data /give
COPY --from=build /millrace/standalone/target/app/lib /opt/millrace/app/lib
COPY millrace /opt/millrace/
COPY --from=build /millrace/standalone/target/app/millrace /opt/millrace/app/millrace
RUN /opt/millrace/millrace archive-classes
# Who may reach it is said by docker run -p.
ENV PATH=/opt/millrace:$PATH MILLRACE_GATEWAY_HOST=0.0.0.0
USER 10001:10001
# ./millrace keeps its state in the folder data.
WORKDIR /
EXPOSE 8080
ENTRYPOINT ["millrace"]
