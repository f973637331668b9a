// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hbase;

import io.hearth.admin.rpc.HearthAdminClient;
import io.hearth.healer.hbase.HealerUser;
import io.hearth.ui.hbase.ApiResponse;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/**
 * Has the HMaster's healer and balancer rest while there is a reason: renews a lease of a minute each 15 s and gives it back at the end. If
 * this process dies the lease ends by itself. Used by one thread.
 */
public final class MasterBrake implements Closeable {

    private static final int LEASE_SECONDS = 60;
    private static final long RENEW_NANOS = TimeUnit.SECONDS.toNanos(15);

    private final MasterConnection master;
    private final String instance;
    private Optional<String> lastAnswer = Optional.empty();
    private boolean isAsking;
    private long renewedNanos;

    /** @param instance the name of this daemon; each has a lease of its own */
    public MasterBrake(Configuration site, HealerUser user, String instance) {
        this.master = new MasterConnection(site, user);
        this.instance = instance;
    }

    /**
     * Does what is to be done by now; to be called each second.
     *
     * @param reason why they should rest; empty if they should not
     * @return the master's answer, if it is another than before
     * @throws IOException if the master can't be asked; the next call tries again
     */
    public Optional<String> turn(Optional<String> reason) throws IOException {
        boolean isDue = reason.isPresent() ? !isAsking || System.nanoTime() - renewedNanos > RENEW_NANOS : isAsking;
        if (!isDue) {
            return Optional.empty();
        }
        String answer = ask(reason.orElse(""), reason.isPresent() ? LEASE_SECONDS : 0);
        isAsking = reason.isPresent();
        renewedNanos = System.nanoTime();
        boolean isNew = !lastAnswer.equals(Optional.of(answer));
        lastAnswer = Optional.of(answer);
        return isNew ? lastAnswer : Optional.empty();
    }

    private String ask(String reason, int leaseSeconds) throws IOException {
        return master.ask(admin -> HearthAdminClient.brake(admin, instance, reason, leaseSeconds)
                .map(MasterBrake::text)
                .orElse("The HMaster has no Hearth that could rest."));
    }

    private static String text(ApiResponse response) {
        JsonObject json = JsonParser.parseString(response.body()).getAsJsonObject();
        return json.has("done") ? json.get("done").getAsString() : response.body();
    }

    /** Gives the lease back, if there is one and the master answers. */
    @Override
    public void close() {
        try {
            Optional<String> unused = turn(Optional.empty());
        } catch (IOException over) {
            // It ends by itself.
        }
        master.close();
    }
}
