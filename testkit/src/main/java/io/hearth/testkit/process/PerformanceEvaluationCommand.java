// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import io.hearth.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bin/hearth cluster pe}: HBase's own PerformanceEvaluation against the cluster. */
@Command(
        name = "pe",
        description = {
            "Runs HBase's own PerformanceEvaluation, as hbase pe does, with clients that are threads:",
            "there is no MapReduce here. Without arguments it says what it can do."
        },
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = "  bin/hearth cluster pe --rows=20000 --presplit=8 randomWrite 2")
final class PerformanceEvaluationCommand implements Callable<Integer> {

    private static final String THREADS = "--nomapred";

    /** It says what it has measured by its logger. */
    private static final String LOGGING =
            """
            log4j.rootLogger=WARN, out
            log4j.logger.org.apache.hadoop.hbase.PerformanceEvaluation=INFO
            log4j.appender.out=org.apache.log4j.ConsoleAppender
            log4j.appender.out.layout=org.apache.log4j.PatternLayout
            log4j.appender.out.layout.ConversionPattern=%d{HH:mm:ss} %m%n
            """;

    @Spec
    private CommandSpec spec;

    @Mixin
    private FolderOption folder;

    @Parameters(
            paramLabel = "ARGUMENT",
            arity = "0..*",
            description =
                    "its own options, what to do and how many clients, as --rows=10000 --presplit=8 randomWrite 4")
    private List<String> words = List.of();

    @Override
    public Integer call() throws IOException {
        ClientProgram program = ClientProgram.in(folder, spec);
        Files.createDirectories(program.own());
        Path logging = Files.writeString(program.own().resolve("pe-log4j.properties"), LOGGING);
        List<String> all = new ArrayList<>(words);
        if (!words.isEmpty() && !words.contains(THREADS)) {
            all.add(0, THREADS);
        }
        program.writeArgumentFile(
                List.of("-Xmx1g", "-Dlog4j.configuration=file:" + logging),
                "org.apache.hadoop.hbase.PerformanceEvaluation",
                all);
        return ExitCode.DONE.code();
    }
}
