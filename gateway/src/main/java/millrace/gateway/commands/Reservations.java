package millrace.gateway.commands;

import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import millrace.gateway.admission.Admission;
import millrace.gateway.admission.Reservation;
import millrace.gateway.readmodel.ReadModel;

/**
 * Holds what this gateway has admitted and Kafka has not acknowledged. It counts at once, so that
 * two requests at the same gateway cannot spend the same credits. Acknowledged commands count in
 * the read model. Safe for use by many threads.
 */
@Singleton
final class Reservations {
    /** By account and report. The lock of an account's map guards its decisions. */
    private final Map<String, Map<UUID, Reservation>> accounts = new ConcurrentHashMap<>();

    private final ReadModel model;

    Reservations(ReadModel model) {
        this.model = model;
    }

    /** Decides admission. Where it admits, reserves until {@link #release}. */
    Admission admit(String accountId, Reservation wanted, int openLimit) {
        Map<UUID, Reservation> reserved = account(accountId);
        synchronized (reserved) {
            Admission admission = decide(accountId, wanted, reserved.values(), openLimit);
            if (admission instanceof Admission.Admitted) {
                reserved.put(wanted.reportId(), wanted);
            }
            return admission;
        }
    }

    /** Looks the other reservations up only where they matter: an account may have hundreds at a time. */
    private Admission decide(String accountId, Reservation wanted, Collection<Reservation> reserved, int openLimit) {
        Admission strict = Admission.decide(model.leastStanding(accountId, wanted, reserved), wanted, openLimit);
        return strict instanceof Admission.Admitted || reserved.isEmpty()
                ? strict
                : Admission.decide(model.standing(accountId, wanted, reserved), wanted, openLimit);
    }

    /**
     * Must be called once the command is in the read model, or is not expected there. A command
     * that appears later all the same counts in the read model.
     */
    void release(String accountId, UUID reportId) {
        Map<UUID, Reservation> reserved = account(accountId);
        synchronized (reserved) {
            reserved.remove(reportId);
        }
    }

    private Map<UUID, Reservation> account(String accountId) {
        return accounts.computeIfAbsent(accountId, id -> new HashMap<>());
    }
}
