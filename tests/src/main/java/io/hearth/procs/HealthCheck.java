package io.hearth.procs;

import io.hearth.procs.MemberHealth.Condition;
import io.hearth.procs.layout.Member;
import io.hearth.procs.layout.Role;
import io.hearth.procs.system.ProcessId;
import io.hearth.procs.system.Processes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Looks how each process of a cluster is: by the system, whether it runs; by what the servers say, whether it serves. It needs
 * no client of HDFS or HBase, and no host name.
 */
final class HealthCheck {

    private final Processes processes;
    private final Jmx jmx;

    HealthCheck(Processes processes, Jmx jmx) {
        this.processes = processes;
        this.jmx = jmx;
    }

    /** Every member, in the layout's order. */
    List<MemberHealth> of(ClusterState state) throws InterruptedException {
        ServersWord word = ServersWord.ask(running(state).toList(), jmx);
        List<MemberHealth> all = new ArrayList<>();
        for (Member member : state.layout().members()) {
            all.add(health(member, Optional.ofNullable(state.processByMember().get(member.name())), word));
        }
        return all;
    }

    /** The one with this role, of which there can be several and one is active; absent if none is. */
    Optional<Member> active(Role role, ClusterState state) throws InterruptedException {
        List<Member> candidates =
                running(state).filter(member -> member.role() == role).toList();
        ServersWord word = ServersWord.ask(candidates, jmx);
        return candidates.stream().filter(word::isActive).findFirst();
    }

    private Stream<Member> running(ClusterState state) {
        return state.layout().members().stream()
                .filter(member ->
                        life(Optional.ofNullable(state.processByMember().get(member.name())))
                                == Processes.Life.RUNNING);
    }

    private MemberHealth health(Member member, Optional<ProcessId> process, ServersWord word) {
        return switch (life(process)) {
            case ENDED -> new MemberHealth(member, process, Condition.DEAD, "");
            case STOPPED -> new MemberHealth(member, process, Condition.FROZEN, "stopped by a signal");
            case RUNNING ->
                new MemberHealth(
                        member, process, word.serves(member) ? Condition.SERVES : Condition.RUNS, word.detail(member));
        };
    }

    private Processes.Life life(Optional<ProcessId> process) {
        return process.map(processes::life).orElse(Processes.Life.ENDED);
    }
}
