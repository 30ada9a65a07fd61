package millrace.simulation.kafka.group;

import org.jspecify.annotations.Nullable;

/** As whom a member of a group speaks. */
public record MemberIdentity(String memberId, @Nullable String instanceId, int generation) {}
