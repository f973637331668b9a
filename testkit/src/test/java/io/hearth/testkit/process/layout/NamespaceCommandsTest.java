// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NamespaceCommandsTest {

    private static List<String> lines(List<List<String>> commands) {
        return commands.stream().map(command -> String.join(" ", command)).toList();
    }

    @Test
    void everyHostHangsOnTheBridgeOfItsRackAndEveryRackOnTheCore() {
        List<String> up = lines(new NamespaceCommands(new ClusterLayout(ClusterSpecs.of(2, 2, 1), "07af", 9)).up());

        assertThat(up)
                .startsWith("ip netns add hearth-07af-net", "ip netns add hearth-07af-namenode")
                .contains(
                        "ip -n hearth-07af-net link add core type bridge",
                        "ip -n hearth-07af-net link add rack2 type bridge",
                        "ip -n hearth-07af-net link add up-rack2 type veth peer name core-up-rack2",
                        "ip -n hearth-07af-net link set up-rack2 master rack2 up",
                        "ip -n hearth-07af-net link set core-up-rack2 master core up",
                        "ip -n hearth-07af-net link add host2 type veth peer name eth0 netns hearth-07af-host2",
                        "ip -n hearth-07af-net link set host2 master rack2 up",
                        "ip -n hearth-07af-net link set master1 master core up",
                        "ip -n hearth-07af-host2 addr add 10.77.9.22/24 dev eth0",
                        "ip link add hearth-07af type veth peer name client netns hearth-07af-net")
                .endsWith("ip addr add 10.77.9.1/24 dev hearth-07af", "ip link set hearth-07af up");
    }

    @Test
    void whatIsMadeIsTakenAway() {
        NamespaceCommands commands = new NamespaceCommands(new ClusterLayout(ClusterSpecs.of(1, 1, 1), "07af", 9));

        assertThat(lines(commands.down()))
                .containsExactly(
                        "ip link del hearth-07af",
                        "ip netns del hearth-07af-net",
                        "ip netns del hearth-07af-namenode",
                        "ip netns del hearth-07af-master1",
                        "ip netns del hearth-07af-host1");
    }

    @Test
    void namesOfDevicesAreShortEnoughForTheKernel() {
        NamespaceCommands commands = new NamespaceCommands(new ClusterLayout(ClusterSpecs.of(12, 12, 3), "ffff", 254));

        List<String> names = commands.up().stream()
                .filter(command -> command.contains("add") && command.contains("link"))
                .flatMap(
                        command -> command.stream().filter(word -> word.matches("(core|up|rack|host|master|hearth).*")))
                .filter(word -> !word.startsWith("hearth-ffff-"))
                .toList();
        assertThat(names).isNotEmpty().allMatch(name -> name.length() <= 15);
    }

    @Test
    void halfOfTheRoundTripIsOnEachUplinkAndTheRateOnBothEndsOfANic() {
        NamespaceCommands commands = new NamespaceCommands(new ClusterLayout(ClusterSpecs.shaped(1, 100), "07af", 9));

        assertThat(lines(commands.shaping()))
                .containsExactly(
                        "tc -n hearth-07af-net qdisc replace dev up-rack1 root netem delay 0.500ms limit 10000",
                        "tc -n hearth-07af-net qdisc replace dev up-rack2 root netem delay 0.500ms limit 10000",
                        "tc -n hearth-07af-host1 qdisc replace dev eth0 root tbf rate 100mbit burst 256kb latency 50ms",
                        "tc -n hearth-07af-net qdisc replace dev host1 root tbf rate 100mbit burst 256kb latency 50ms",
                        "tc -n hearth-07af-host2 qdisc replace dev eth0 root tbf rate 100mbit burst 256kb latency 50ms",
                        "tc -n hearth-07af-net qdisc replace dev host2 root tbf rate 100mbit burst 256kb latency 50ms");
    }

    @Test
    void whereTheKernelHasNoNetemAProcessOfOursIsTheWayBetweenRacks() {
        ClusterLayout layout = new ClusterLayout(ClusterSpecs.shaped(1, 0), "07af", 9).withRelay();
        NamespaceCommands commands = new NamespaceCommands(layout);

        assertThat(lines(commands.up()))
                .contains(
                        "ip -n hearth-07af-net tuntap add dev up-rack2 mode tap",
                        "ip -n hearth-07af-net tuntap add dev core-up-rack2 mode tap",
                        "ip -n hearth-07af-net link set core-up-rack2 mtu 60000",
                        "ip -n hearth-07af-net link set core-up-rack2 master core up",
                        "ip -n hearth-07af-host2 link set eth0 mtu 60000",
                        "ip link set hearth-07af mtu 60000")
                .noneMatch(line -> line.contains("link add up-rack"));
        assertThat(commands.shaping()).isEmpty();
        assertThat(String.join(" ", commands.runAtTheBridges())).isEqualTo("ip netns exec hearth-07af-net");
        assertThat(String.join(" ", commands.relayArguments()))
                .isEqualTo("500 up-rack1 core-up-rack1 up-rack2 core-up-rack2");
        assertThat(layout.daemons().stream().map(Daemon::name))
                .startsWith("namenode", "zookeeper", "uplinks", "master1");
    }

    @Test
    void aHostThatIsAddedIsJoinedAndShapedAsTheOthers() {
        ClusterLayout layout = new ClusterLayout(ClusterSpecs.shaped(0, 100), "07af", 9).withAnotherHost();

        assertThat(lines(new NamespaceCommands(layout).upOf(layout.workers().get(2))))
                .startsWith(
                        "ip netns add hearth-07af-host3",
                        "ip -n hearth-07af-net link add host3 type veth peer name eth0 netns hearth-07af-host3",
                        "ip -n hearth-07af-net link set host3 master rack1 up")
                .endsWith(
                        "tc -n hearth-07af-host3 qdisc replace dev eth0 root tbf rate 100mbit burst 256kb latency 50ms",
                        "tc -n hearth-07af-net qdisc replace dev host3 root tbf rate 100mbit burst 256kb latency 50ms");
    }

    @Test
    void aRackIsCutOffByItsUplink() {
        NamespaceCommands commands = new NamespaceCommands(new ClusterLayout(ClusterSpecs.of(2, 2, 1), "07af", 9));

        assertThat(String.join(" ", commands.rackLink("/rack2", false)))
                .isEqualTo("ip -n hearth-07af-net link set up-rack2 down");
    }

    @Test
    void aProcessRunsInItsHostsNamespaceUnderItsName() {
        ClusterLayout layout = new ClusterLayout(ClusterSpecs.of(1, 1, 1), "07af", 9);

        assertThat(String.join(
                        " ",
                        new NamespaceCommands(layout).runOn(layout.workers().get(0))))
                .isEqualTo("ip netns exec hearth-07af-host1 unshare --uts sh -c hostname host1 && exec \"$@\" sh");
    }
}
