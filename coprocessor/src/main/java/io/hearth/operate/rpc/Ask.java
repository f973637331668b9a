package io.hearth.operate.rpc;

import io.hearth.web.hbase.PageAction;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** What an operator asks of a master by RPC. */
public enum Ask {
    /** Everything that the page shows, in one. */
    LOOK,
    /** The decisions since a time, with every move. */
    PLANS,
    /** Says that these moves of a plan are about to be made by a person's order. */
    CARRY_OUT,
    PAUSE_HEALING(PageAction.PAUSE_HEALING),
    RESUME_HEALING(PageAction.RESUME_HEALING),
    HEAL(PageAction.HEAL),
    LIFT_PIN(PageAction.LIFT_PIN),
    ADVISE(PageAction.ADVISE),
    ACT(PageAction.ACT);

    /** The service's name in the master. */
    public static final String SERVICE = "HearthOperator";

    private final Optional<PageAction> action;

    Ask() {
        action = Optional.empty();
    }

    Ask(PageAction action) {
        this.action = Optional.of(action);
    }

    /** The action of the page that this is; empty where it is none. */
    public Optional<PageAction> action() {
        return action;
    }

    /** The name of the RPC method, as it is in the master's audit log: {@code PauseHealing}. */
    String method() {
        return Arrays.stream(name().split("_"))
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(java.util.Locale.ROOT))
                .collect(Collectors.joining());
    }

    static Ask ofMethod(String method) {
        return Arrays.stream(values())
                .filter(ask -> ask.method().equals(method))
                .findFirst()
                .orElseThrow();
    }
}
