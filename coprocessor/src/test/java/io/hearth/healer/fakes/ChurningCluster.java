// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.fakes;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.HealRank;
import io.hearth.healer.model.ServedRegion.ReportedLocality;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.spi.Assignments;
import io.hearth.healer.spi.Assignments.AssignmentSnapshot;
import io.hearth.healer.spi.Observed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A cluster whose servers and regions come and go at random; what is reported after a move may be right or old. */
public final class ChurningCluster implements Assignments {

    private final Random random;
    private final List<ServerId> servers = new ArrayList<>();
    private final Map<EncodedRegionName, ServedRegion> served = new TreeMap<>();
    private final Set<EncodedRegionName> inTransition = new TreeSet<>();
    private final List<ServedRegion> arrived = new ArrayList<>();
    private AssignmentSnapshot lastLook = AssignmentSnapshot.EMPTY;
    private int names;

    public ChurningCluster(Random random) {
        this.random = random;
        for (int server = 0; server < 5; server++) {
            servers.add(newServer());
        }
        for (int region = 0; region < 20; region++) {
            open(newRegion(), anyServer(), true);
        }
        arrived.clear();
    }

    @Override
    public Observed<AssignmentSnapshot> snapshot() {
        AssignmentSnapshot snapshot = AssignmentSnapshot.of(served.values(), inTransition);
        lastLook = snapshot;
        return Observed.known(snapshot);
    }

    /** Whether the region is on the server where it was seen the last time: what happened in between has left no trace. */
    public boolean isBackWhereItWasSeen(ServedRegion region) {
        ServedRegion seen = lastLook.servedById().get(region.region());
        return seen != null && seen.server().equals(region.server());
    }

    public Map<EncodedRegionName, ServedRegion> served() {
        return served;
    }

    public boolean isReportedLow(EncodedRegionName region) {
        return Optional.ofNullable(served.get(region))
                .flatMap(ServedRegion::reported)
                .filter(reported -> reported.ratio() < 1)
                .isPresent();
    }

    /** The regions that have come to a server since the last time. */
    public List<ServedRegion> takeArrived() {
        List<ServedRegion> taken = List.copyOf(arrived);
        arrived.clear();
        return taken;
    }

    /** Something happens; returns what. */
    public String change() {
        if (!inTransition.isEmpty() && random.nextBoolean()) {
            Set<EncodedRegionName> opening = Set.copyOf(inTransition);
            inTransition.clear();
            opening.forEach(region -> open(region, anyServer(), random.nextBoolean()));
            return "regions come back";
        }
        return switch (random.nextInt(6)) {
            case 0 -> crash();
            case 1 -> restart();
            case 2 -> newServerTakesSome();
            case 3 -> split();
            case 4 -> merge();
            default -> move(1 + random.nextInt(4));
        };
    }

    private String crash() {
        if (servers.size() < 3) {
            return "too few to crash";
        }
        ServerId dead = servers.remove(random.nextInt(servers.size()));
        regionsOf(dead).forEach(region -> {
            served.remove(region);
            inTransition.add(region);
        });
        return "crash of " + dead;
    }

    /** The same host comes back as another server, and takes its regions again. */
    private String restart() {
        int at = random.nextInt(servers.size());
        ServerId before = servers.get(at);
        ServerId after = new ServerId(before.host(), before.port(), before.startCode() + 1);
        servers.set(at, after);
        regionsOf(before).forEach(region -> open(region, after, true));
        return "restart of " + before;
    }

    private String newServerTakesSome() {
        ServerId server = newServer();
        servers.add(server);
        return move(3);
    }

    private String split() {
        Optional<EncodedRegionName> parent = anyRegion();
        parent.ifPresent(region -> {
            ServerId server = close(region);
            open(newRegion(), server, true);
            open(newRegion(), server, true);
        });
        return "split of " + parent;
    }

    private String merge() {
        if (served.size() < 3) {
            return "too few to merge";
        }
        ServerId server = close(anyRegion().orElseThrow());
        close(anyRegion().orElseThrow());
        open(newRegion(), server, random.nextBoolean());
        return "merge on " + server;
    }

    private String move(int regions) {
        for (int moved = 0; moved < regions; moved++) {
            anyRegion().ifPresent(region -> open(region, anyServer(), random.nextBoolean()));
        }
        return "moves";
    }

    private ServerId close(EncodedRegionName region) {
        ServedRegion closed = served.remove(region);
        arrived.removeIf(other -> other.region().equals(region));
        return closed == null ? anyServer() : closed.server();
    }

    private void open(EncodedRegionName region, ServerId server, boolean reportedLocal) {
        ServedRegion before = served.get(region);
        if (before != null && before.server().equals(server)) {
            return;
        }
        ServedRegion now = new ServedRegion(
                region,
                new TableId("t"),
                HealRank.USER,
                TableHealingMode.ON,
                server,
                Optional.of(new ReportedLocality(reportedLocal ? 100 : random.nextInt(100), 100)));
        served.put(region, now);
        arrived.add(now);
    }

    private List<EncodedRegionName> regionsOf(ServerId server) {
        return served.values().stream()
                .filter(region -> region.server().equals(server))
                .map(ServedRegion::region)
                .toList();
    }

    private Optional<EncodedRegionName> anyRegion() {
        List<EncodedRegionName> regions = List.copyOf(served.keySet());
        return regions.isEmpty() ? Optional.empty() : Optional.of(regions.get(random.nextInt(regions.size())));
    }

    private ServerId anyServer() {
        return servers.get(random.nextInt(servers.size()));
    }

    private ServerId newServer() {
        return new ServerId("host" + names++, 16020, 1);
    }

    private EncodedRegionName newRegion() {
        return new EncodedRegionName("region" + names++);
    }
}
