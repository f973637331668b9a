package io.hearth.procs;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hearth.procs.layout.Member;
import io.hearth.procs.layout.Role;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the servers of a cluster say of themselves and of each other: of DataNodes the NameNode, of RegionServers the active
 * HMaster, by their web pages.
 */
final class ServersWord {

    private static final int LIMIT_MS = 3_000;
    private static final String MASTER_BEAN = "Hadoop:service=HBase,name=Master,sub=Server";
    private static final String NAMENODE_BEAN = "Hadoop:service=NameNode,name=NameNodeInfo";
    private static final String NAMENODE_STATUS_BEAN = "Hadoop:service=NameNode,name=NameNodeStatus";
    private static final String JOURNALNODE_BEAN = "Hadoop:service=JournalNode,name=JournalNodeInfo";

    /** In the NameNode's own words, as the next. */
    private static final String ACTIVE = "active";

    private static final String STANDBY = "standby";
    private static final String BACKUP = "backup";
    private static final String SILENT = "does not answer";

    private final Map<Member, String> detailByMember = new HashMap<>();
    private final Set<String> dataNodeHosts = new HashSet<>();
    private final Set<String> regionServerHosts = new HashSet<>();
    private final Jmx jmx;

    private ServersWord(Jmx jmx) {
        this.jmx = jmx;
    }

    /** Asks each of these, one after the other, a few seconds each at most. */
    static ServersWord ask(List<Member> members, Jmx jmx) throws InterruptedException {
        ServersWord word = new ServersWord(jmx);
        for (Member member : members) {
            word.hear(member);
        }
        return word;
    }

    /** Whether it is the one that is at work, and has all that it needs for it. */
    boolean isActive(Member member) {
        return detail(member).equals(ACTIVE);
    }

    boolean serves(Member member) {
        return switch (member.role()) {
            case ZOOKEEPER, JOURNALNODE, ZKFC -> isActive(member);
            case NAMENODE -> isActive(member) || (detail(member).equals(STANDBY) && anotherIsActive(member.role()));
            case MASTER -> isActive(member) || detail(member).equals(BACKUP);
            case DATANODE -> dataNodeHosts.contains(member.host().name());
            case REGIONSERVER -> regionServerHosts.contains(member.host().name());
            case UPLINK -> true;
        };
    }

    private boolean anotherIsActive(Role role) {
        return detailByMember.keySet().stream().anyMatch(member -> member.role() == role && isActive(member));
    }

    /** A word on it, or nothing. */
    String detail(Member member) {
        return detailByMember.getOrDefault(member, "");
    }

    private void hear(Member member) throws InterruptedException {
        switch (member.role()) {
            case NAMENODE -> hearNameNode(member);
            case ZOOKEEPER -> hear(member, zooKeeperAnswers(member));
            case JOURNALNODE -> hear(member, bean(member, JOURNALNODE_BEAN).isPresent());
            case ZKFC -> hear(member, listens(member));
            case MASTER -> hearMaster(member);
            case DATANODE, REGIONSERVER, UPLINK -> {
                // Others speak for them, and an uplink has no page.
            }
        }
    }

    private void hear(Member member, boolean answers) {
        detailByMember.put(member, answers ? ACTIVE : SILENT);
    }

    private void hearNameNode(Member member) throws InterruptedException {
        Optional<JsonObject> bean = bean(member, NAMENODE_BEAN);
        Optional<JsonObject> status = bean(member, NAMENODE_STATUS_BEAN);
        if (bean.isEmpty() || status.isEmpty()) {
            detailByMember.put(member, SILENT);
            return;
        }
        String state = text(status.get(), "State");
        detailByMember.put(member, text(bean.get(), "Safemode").isEmpty() ? state : state + " in safe mode");
        if (!state.equals(ACTIVE)) {
            return;
        }
        // A map whose keys are host:port.
        for (String node : JsonParser.parseString(text(bean.get(), "LiveNodes"))
                .getAsJsonObject()
                .keySet()) {
            dataNodeHosts.add(node.split(":", 2)[0]);
        }
    }

    private void hearMaster(Member member) throws InterruptedException {
        Optional<JsonObject> bean = bean(member, MASTER_BEAN);
        if (bean.isEmpty()) {
            detailByMember.put(member, SILENT);
        } else if (!text(bean.get(), "tag.isActiveMaster").equals("true")) {
            detailByMember.put(member, BACKUP);
        } else if (number(bean.get(), "masterFinishedInitializationTime") == 0) {
            detailByMember.put(member, "is getting active");
        } else {
            detailByMember.put(member, ACTIVE);
            // host,port,startcode with semicolons between them.
            for (String server : text(bean.get(), "tag.liveRegionServers").split(";", -1)) {
                regionServerHosts.add(server.split(",", 2)[0]);
            }
        }
    }

    private Optional<JsonObject> bean(Member member, String name) throws InterruptedException {
        return jmx.bean(member.host().address(), member.role().watchedPort(), name);
    }

    private static boolean zooKeeperAnswers(Member member) {
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(member.host().address(), member.role().watchedPort()), LIMIT_MS);
            socket.setSoTimeout(LIMIT_MS);
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).contains("Mode:");
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean listens(Member member) {
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(member.host().address(), member.role().watchedPort()), LIMIT_MS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static String text(JsonObject bean, String key) {
        JsonElement value = bean.get(key);
        return value == null || value.isJsonNull() ? "" : value.getAsString();
    }

    private static long number(JsonObject bean, String key) {
        JsonElement value = bean.get(key);
        return value == null || value.isJsonNull() ? 0 : value.getAsLong();
    }
}
