package io.hearth.web.model;

import io.hearth.balancer.cost.TableWeights;
import java.util.List;

/**
 * Everything that a page is made from: the cluster, the balancer and the healer at one time, and what the doctor found last. Immutable.
 *
 * @param atMs when it was seen, in milliseconds since 1970
 * @param master the master that saw it
 * @param weights how much each table counts in plans
 */
public record Seen(
        long atMs,
        String master,
        List<SeenServer> servers,
        TableWeights weights,
        BalancerWord balancer,
        HealingWord healing,
        DoctorWord doctor) {

    public Seen {
        servers = List.copyOf(servers);
    }

    /** The same without the servers that are being emptied: what is even is even over the others. */
    Seen serving() {
        return new Seen(
                atMs,
                master,
                servers.stream().filter(server -> !server.isDraining()).toList(),
                weights,
                balancer,
                healing,
                doctor);
    }
}
