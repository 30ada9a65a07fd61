package millrace.simulation.kafka.group;

import org.jspecify.annotations.Nullable;

/** The identity of a member in its requests. */
public record MemberIdentity(String memberId, @Nullable String instanceId, int generation) {}
