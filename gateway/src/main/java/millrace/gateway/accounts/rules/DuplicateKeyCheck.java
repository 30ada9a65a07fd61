package millrace.gateway.accounts.rules;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.contracts.accounts.AccountRecord;

/** Refuses changes after which two accounts would have the same valid key. */
public final class DuplicateKeyCheck {
    private final Function<String, Optional<AccountRecord>> before;
    private final Supplier<Collection<AccountRecord>> all;

    /**
     * @param before an account before the changes, by its id
     * @param all all accounts before the changes
     */
    public DuplicateKeyCheck(
            Function<String, Optional<AccountRecord>> before, Supplier<Collection<AccountRecord>> all) {
        this.before = before;
        this.all = all;
    }

    /**
     * Returns the decisions, with those refused that would give an account a valid key of another
     * account.
     *
     * @param decisions on different accounts, committed together; a key may move from one of them
     *     to another, in any order
     */
    public List<AccountDecision> checked(List<AccountDecision> decisions) {
        List<AccountDecision> checked = new ArrayList<>(decisions);
        while (refuseOne(checked)) {
            // A refused account keeps its keys, so a change that relied on one of them is refused next.
        }
        return checked;
    }

    /** Returns false where nothing has to be refused. */
    private boolean refuseOne(List<AccountDecision> decisions) {
        Set<String> added = new HashSet<>();
        changed(decisions).forEach(account -> added.addAll(added(account)));
        if (added.isEmpty()) {
            return false;
        }
        Map<String, Set<String>> owners = owners(decisions, added);
        for (int i = 0; i < decisions.size(); i++) {
            Optional<AccountDecision> refused = decisions.get(i) instanceof AccountDecision.Changed c
                    ? refusal(c.after(), owners)
                    : Optional.empty();
            if (refused.isPresent()) {
                decisions.set(i, refused.get());
                return true;
            }
        }
        return false;
    }

    private Optional<AccountDecision> refusal(AccountRecord account, Map<String, Set<String>> owners) {
        return added(account).stream()
                .flatMap(hash -> owners.getOrDefault(hash, Set.of()).stream()
                        .filter(owner -> !owner.equals(account.accountId()))
                        .sorted()
                        .map(owner -> "keys: " + AccountRecord.Key.idOf(hash) + " is a key of account " + owner
                                + " already; revoke it there first."))
                .findFirst()
                .map(AccountDecision.Refused::new);
    }

    /** Ids of the accounts that have each valid key after the changes, by the key's hash. */
    private Map<String, Set<String>> owners(List<AccountDecision> decisions, Set<String> hashes) {
        Map<String, AccountRecord> after = new HashMap<>();
        all.get().forEach(account -> after.put(account.accountId(), account));
        changed(decisions).forEach(account -> after.put(account.accountId(), account));
        Map<String, Set<String>> owners = new HashMap<>();
        for (AccountRecord account : after.values()) {
            valid(account).filter(hashes::contains).forEach(hash -> owners.computeIfAbsent(hash, h -> new HashSet<>())
                    .add(account.accountId()));
        }
        return owners;
    }

    private static Stream<AccountRecord> changed(List<AccountDecision> decisions) {
        return decisions.stream().mapMulti((decision, out) -> {
            if (decision instanceof AccountDecision.Changed c) {
                out.accept(c.after());
            }
        });
    }

    /** Hashes of keys that become valid by the change. */
    private List<String> added(AccountRecord after) {
        Set<String> had = before.apply(after.accountId()).stream()
                .flatMap(DuplicateKeyCheck::valid)
                .collect(Collectors.toSet());
        return valid(after).filter(hash -> !had.contains(hash)).toList();
    }

    private static Stream<String> valid(AccountRecord account) {
        return account.keys().stream().filter(key -> key.revokedAt() == null).map(AccountRecord.Key::sha256);
    }
}
