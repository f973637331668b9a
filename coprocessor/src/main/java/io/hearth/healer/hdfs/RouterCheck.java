// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;

/**
 * Whether HDFS is asked through a router (router-based federation), with which healing does not work: block keys through a router
 * are those of any name service, its DataNodes are those of all, and neither the HDFS Balancer's lock nor a fail-over is this name
 * service's. A router says of some questions to NameNodes that it does not support them, before it looks at who asks; one
 * that is cheap is asked until somebody has answered: a NameNode answers, stands by, or says that only a superuser may ask. Whoever is
 * refused before the question is read, by the service's access list or while signing in, does not know yet and asks again after
 * {@value #ASK_AGAIN_MS} ms, since NameNodes log each refusal; who gets no answer at all does after {@value #NO_ANSWER_MS} ms, and nothing
 * is moved until then. Used by one thread.
 */
final class RouterCheck {

    /** A question that NameNodes answer, or refuse to some, and that routers do not support. */
    @FunctionalInterface
    interface NameNodeCall {
        void ask() throws IOException;
    }

    /** What NameNodes of every supported version tell a user who is none ({@code FSPermissionChecker.checkSuperuserPrivilege}). */
    private static final String ONLY_A_SUPERUSER = "Superuser privilege is required";

    static final long ASK_AGAIN_MS = 60_000;
    static final long NO_ANSWER_MS = 5_000;

    private final URI fileSystem;
    private final NameNodeCall call;
    private final LongSupplier nanoClock;
    private Optional<Boolean> isRouter = Optional.empty();
    private OptionalLong askedNanos = OptionalLong.empty();
    private boolean isAnswered;

    RouterCheck(URI fileSystem, NameNodeCall call, LongSupplier nanoClock) {
        this.fileSystem = fileSystem;
        this.call = call;
        this.nanoClock = nanoClock;
    }

    /** Why nothing is moved through a router; empty where it is a NameNode, or nobody has answered yet. */
    Optional<String> refusal() {
        long nowNanos = nanoClock.getAsLong();
        if (isRouter.isEmpty()
                && (askedNanos.isEmpty() || nowNanos - askedNanos.getAsLong() >= askAgainMs() * 1_000_000)) {
            askedNanos = OptionalLong.of(nowNanos);
            isRouter = ask();
        }
        return isRouter.filter(router -> router)
                .map(router -> fileSystem
                        + " is a router (router-based federation), through which healing is not supported."
                        + " Set hbase.rootdir to the name service of the NameNodes that hold it, where healing runs.");
    }

    /** Whether anybody has answered since this process began: before, it may be a router. */
    boolean isAnswered() {
        return isAnswered;
    }

    private long askAgainMs() {
        return isAnswered ? ASK_AGAIN_MS : NO_ANSWER_MS;
    }

    private Optional<Boolean> ask() {
        try {
            call.ask();
            isAnswered = true;
            return Optional.of(false);
        } catch (RemoteException response) {
            isAnswered |= !RetriableException.class.getName().equals(response.getClassName());
            return isRouter(response);
        } catch (IOException | RuntimeException noAnswer) {
            return Optional.empty();
        }
    }

    /** What a refusal says of who gave it; empty where a router may give it as well as a NameNode. */
    private static Optional<Boolean> isRouter(RemoteException response) {
        String name = response.getClassName();
        if (UnsupportedOperationException.class.getName().equals(name)) {
            return Optional.of(true);
        }
        boolean wantsASuperuser = AccessControlException.class.getName().equals(name)
                && String.valueOf(response.getMessage()).contains(ONLY_A_SUPERUSER);
        return wantsASuperuser || StandbyException.class.getName().equals(name) ? Optional.of(false) : Optional.empty();
    }
}
