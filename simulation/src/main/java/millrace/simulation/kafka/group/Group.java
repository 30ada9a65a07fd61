package millrace.simulation.kafka.group;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import millrace.simulation.kafka.network.ResponseCallback;
import millrace.simulation.kernel.Scheduler;
import millrace.simulation.kernel.Timer;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** A consumer group with the classic protocol. */
final class Group {
    private final String name;
    private final Scheduler scheduler;
    private final LongSupplier unavailableNanos;
    private final Members members = new Members();
    private State state = State.EMPTY;
    private int generation;
    private @Nullable String leader;
    private @Nullable Timer rebalance;

    enum State {
        EMPTY,
        PREPARING_REBALANCE,
        COMPLETING_REBALANCE,
        STABLE
    }

    Group(String name, Scheduler scheduler, LongSupplier unavailableNanos) {
        this.name = name;
        this.scheduler = scheduler;
        this.unavailableNanos = unavailableNanos;
    }

    State state() {
        return state;
    }

    Collection<Member> members() {
        return members.all();
    }

    void join(JoinRequest join, ResponseCallback<JoinResponse> answer) {
        if (!join.memberId().isEmpty()) {
            rejoin(members.get(join.memberId(), join.instanceId()), join, answer);
            return;
        }
        Member former = members.ofInstance(join.instanceId());
        var member = new Member(join.newMemberId(scheduler.random()), join);
        member.joining = answer;
        if (former != null) {
            replace(former, member);
        } else {
            members.add(member);
            prepareRebalance(member.id + " joins");
        }
    }

    /** Replaces the client of a static member that comes back. */
    private void replace(Member former, Member member) {
        scheduler.trace().add(name + ": " + member.id + " replaces " + former.id);
        members.remove(former);
        former.endSession();
        former.fail(Errors.FENCED_INSTANCE_ID);
        member.assignment = former.assignment;
        members.add(member);
        if (former.id.equals(leader)) {
            leader = member.id;
        }
        switch (state) {
            case STABLE -> {
                beat(member);
                member.answerJoin(new JoinResponse(member.id, generation, Map.of()));
            }
            case COMPLETING_REBALANCE -> prepareRebalance(member.id + " comes back");
            case PREPARING_REBALANCE, EMPTY -> completeIfAllJoined();
        }
    }

    private void rejoin(Member member, JoinRequest join, ResponseCallback<JoinResponse> answer) {
        boolean same = member.matches(join.subscription());
        boolean answerAtOnce =
                switch (state) {
                    case COMPLETING_REBALANCE -> same;
                    case STABLE -> same && !member.id.equals(leader);
                    case PREPARING_REBALANCE, EMPTY -> false;
                };
        if (answerAtOnce) {
            answer.value(new JoinResponse(member.id, generation, toAssign(member)));
            return;
        }
        member.subscription = join.subscription();
        member.joining = answer;
        if (state == State.PREPARING_REBALANCE) {
            completeIfAllJoined();
        } else {
            prepareRebalance(member.id + " joins again");
        }
    }

    private void prepareRebalance(String why) {
        if (state == State.PREPARING_REBALANCE) {
            completeIfAllJoined();
            return;
        }
        scheduler.trace().add(name + ": rebalance, " + why);
        if (state == State.COMPLETING_REBALANCE) {
            members.all().forEach(member -> member.failSync(Errors.REBALANCE_IN_PROGRESS));
        }
        state = State.PREPARING_REBALANCE;
        awaitJoins();
        completeIfAllJoined();
    }

    private void awaitJoins() {
        rebalance = scheduler.timer(members.longestRebalance(), () -> {
            members.late().forEach(this::forget);
            complete();
        });
    }

    private void completeIfAllJoined() {
        if (members.allJoin()) {
            complete();
        }
    }

    private void complete() {
        if (rebalance != null) {
            rebalance.cancel();
        }
        if (members.all().isEmpty()) {
            state = State.EMPTY;
            generation++;
            leader = null;
            return;
        }
        Member first = members.firstJoining();
        if (first == null) {
            awaitJoins();
            return;
        }
        Member old = leader == null ? null : members.find(leader);
        leader = old != null && old.joining != null ? leader : first.id;
        generation++;
        state = State.COMPLETING_REBALANCE;
        scheduler
                .trace()
                .add(name + ": generation " + generation + " of "
                        + members.all().size());
        members.all().forEach(member -> {
            beat(member);
            member.assignment = List.of();
        });
        List.copyOf(members.all())
                .forEach(member -> member.answerJoin(new JoinResponse(member.id, generation, toAssign(member))));
    }

    /** @param assignments by member id, from the leader; else empty */
    void sync(
            MemberIdentity of,
            Map<String, List<TopicPartition>> assignments,
            ResponseCallback<List<TopicPartition>> answer) {
        Member member = member(of);
        beat(member);
        switch (state) {
            case PREPARING_REBALANCE, EMPTY -> throw Errors.REBALANCE_IN_PROGRESS.exception();
            case STABLE -> answer.value(member.assignment);
            case COMPLETING_REBALANCE -> {
                member.syncing = answer;
                if (member.id.equals(leader)) {
                    state = State.STABLE;
                    members.all().forEach(m -> m.assignment = assignments.getOrDefault(m.id, List.of()));
                    scheduler.trace().add(name + ": stable " + assignments.values());
                    List.copyOf(members.all()).forEach(Member::answerSync);
                }
            }
        }
    }

    void heartbeat(MemberIdentity of) {
        Member member = member(of);
        beat(member);
        if (state == State.PREPARING_REBALANCE) {
            throw Errors.REBALANCE_IN_PROGRESS.exception();
        }
    }

    void leave(String memberId, @Nullable String instanceId) {
        remove(members.get(memberId, instanceId), " leaves");
    }

    void checkCommit(OffsetCommitRequest commit, boolean transactional) {
        if (commit.generation() < 0 && state == State.EMPTY) {
            return;
        }
        if (commit.generation() >= 0 || !commit.memberId().isEmpty() || commit.instanceId() != null) {
            var unused = member(new MemberIdentity(commit.memberId(), commit.instanceId(), commit.generation()));
        } else if (!transactional && state != State.EMPTY) {
            throw Errors.UNKNOWN_MEMBER_ID.exception();
        }
        if (!transactional && state == State.COMPLETING_REBALANCE) {
            throw Errors.REBALANCE_IN_PROGRESS.exception();
        }
    }

    private Member member(MemberIdentity of) {
        Member member = members.get(of.memberId(), of.instanceId());
        if (of.generation() != generation) {
            throw Errors.ILLEGAL_GENERATION.exception();
        }
        return member;
    }

    /** Starts the session timeout of a member again. */
    private void beat(Member member) {
        member.endSession();
        startSession(member, member.timeouts.sessionNanos());
    }

    private void startSession(Member member, long nanos) {
        member.session = scheduler.timer(nanos, () -> {
            if (unavailableNanos.getAsLong() > 0) {
                startSession(member, unavailableNanos.getAsLong() + member.timeouts.sessionNanos());
            } else if (member.joining != null || member.syncing != null) {
                startSession(member, member.timeouts.sessionNanos());
            } else {
                remove(member, " has no session any more");
            }
        });
    }

    private void remove(Member member, String why) {
        forget(member);
        prepareRebalance(member.id + why);
    }

    private void forget(Member member) {
        members.remove(member);
        member.endSession();
        member.fail(Errors.UNKNOWN_MEMBER_ID);
    }

    private Map<String, Subscription> toAssign(Member member) {
        return member.id.equals(leader) ? members.subscriptions() : Map.of();
    }
}
