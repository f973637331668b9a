// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import io.hearth.sim.ScenarioFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The schema beside the scenarios, which editors complete and check by, says the same as the reader. */
class ScenarioSchemaTest {

    private static final Path FOLDER = Path.of("src", "main", "scenarios");

    static List<Path> scenarios() throws IOException {
        return ScenarioFiles.in(FOLDER);
    }

    /** What is wrong with this text by the schema; empty where it is valid. */
    static Set<ValidationMessage> problems(String yaml) {
        try {
            ObjectMapper json = new ObjectMapper();
            Object read = new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml);
            return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                    .getSchema(json.readTree(Files.readString(FOLDER.resolve("scenario.schema.json"))))
                    .validate(json.valueToTree(read));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void everyScenarioIsValid(Path file) throws IOException {
        assertThat(problems(Files.readString(file))).isEmpty();
    }

    @Test
    void theLeastScenarioIsValid() {
        assertThat(problems(ScenarioReaderTest.LEAST)).isEmpty();
    }
}
