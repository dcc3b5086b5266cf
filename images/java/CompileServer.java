import com.sun.tools.javac.file.JavacFileManager;
import com.sun.tools.javac.main.Arguments;
import com.sun.tools.javac.main.JavaCompiler;
import com.sun.tools.javac.util.Context;
import com.sun.tools.javac.util.Log;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.JavaFileObject.Kind;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardLocation;

/**
 * A javac that stays: compiles one program after the other, in memory. It runs nothing of them.
 *
 * <p>Standard input and output carry messages: a 4-byte length, then fields, each a 4-byte length
 * and that many bytes. A request has an option count, the options, a count of the files to compile
 * and then name and text of each file of the work dir, those to compile first. The answer is
 * `ok` or `failed` with what javac would have written to standard error, then name and bytes of
 * each class file; or `unsure` and why, where a javac of its own might decide otherwise.
 */
public final class CompileServer {
    /**
     * Less than the stack of a fresh javac (1 MB): what compiles here compiles there too, although
     * its frames, not yet compiled themselves, are larger.
     */
    private static final long STACK_BYTES = 640 << 10;

    private static final int MOST_BYTES = 16 << 20;
    private static final int LONGEST_NAME = 240;

    /** Keeps jars and the JDK's own files open; holds nothing of a program. */
    private final JavacFileManager platform =
            new JavacFileManager(new Context(), false, StandardCharsets.UTF_8);

    private List<File> classPath = List.of();

    public static void main(String[] arguments) throws Exception {
        DataInputStream in = new DataInputStream(new FileInputStream(FileDescriptor.in));
        DataOutputStream out = new DataOutputStream(new FileOutputStream(FileDescriptor.out));
        CompileServer server = new CompileServer();
        for (String path : arguments) {
            // While the image is built: so the classes that it takes are found out.
            Source source = new Source(path, Files.readString(Path.of(path)));
            List<byte[]> made =
                    server.compile(List.of("-proc:none"), "", List.of(source), Map.of());
            if (!"ok".equals(new String(made.get(0), StandardCharsets.UTF_8))) {
                throw new IllegalArgumentException(new String(made.get(1), StandardCharsets.UTF_8));
            }
        }
        if (arguments.length > 0) return;
        send(out, List.of(bytes("ready")));
        while (true) {
            byte[] request;
            try {
                request = in.readNBytes(in.readInt());
            } catch (EOFException gone) {
                return;
            }
            List<byte[]> answer = server.answer(request);
            send(out, answer);
            if (new String(answer.get(0), StandardCharsets.UTF_8).equals("unsure")) return;
        }
    }

    private static void send(DataOutputStream out, List<byte[]> fields) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        DataOutputStream data = new DataOutputStream(body);
        data.writeInt(fields.stream().mapToInt(field -> field.length + 4).sum());
        for (byte[] field : fields) {
            data.writeInt(field.length);
            data.write(field);
        }
        body.writeTo(out);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Compile in a thread with a stack of the wanted size; whatever is thrown makes it unsure. */
    private List<byte[]> answer(byte[] request) throws InterruptedException {
        List<List<byte[]>> made = new ArrayList<>();
        Throwable[] thrown = new Throwable[1];
        Thread thread = new Thread(null, () -> made.add(compile(request)), "compile", STACK_BYTES);
        thread.setUncaughtExceptionHandler((dead, error) -> thrown[0] = error);
        thread.start();
        thread.join();
        if (!made.isEmpty()) return made.get(0);
        return List.of(bytes("unsure"), bytes(String.valueOf(thrown[0])));
    }

    private List<byte[]> compile(byte[] request) {
        List<String> options = new ArrayList<>();
        List<Source> wanted = new ArrayList<>();
        Map<String, String> texts = new LinkedHashMap<>();
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(request))) {
            int count = Integer.parseInt(field(in));
            for (int i = 0; i < count; i++) options.add(field(in));
            int first = Integer.parseInt(field(in));
            while (in.available() > 0) {
                String name = field(in);
                String text = field(in);
                texts.put(name, text);
                if (wanted.size() < first) wanted.add(new Source(name, text));
            }
        } catch (IOException error) {
            throw new IllegalArgumentException(error);
        }
        String path = "";
        List<String> rest = new ArrayList<>();
        for (int i = 0; i < options.size(); i++) {
            String word = options.get(i);
            if (Set.of("-cp", "-classpath", "--class-path").contains(word)) {
                path = options.get(++i);
            } else if (word.equals("-d")) {
                i++;  // classes go back over the pipe
            } else {
                rest.add(word);
            }
        }
        return compile(rest, path, wanted, texts);
    }

    private static String field(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
    }

    /** What javac's own Main does, but for its reading and writing of files. */
    private List<byte[]> compile(
            List<String> options, String path, List<Source> wanted, Map<String, String> texts) {
        // Everything that javac remembers of a program hangs on its context.
        Context context = new Context();
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        context.put(Log.errKey, new PrintWriter(said, true, StandardCharsets.UTF_8));
        platform.setContext(context);
        Memory memory = new Memory(platform, here(path), texts);
        context.put(JavaFileManager.class, memory);
        Arguments arguments = Arguments.instance(context);
        arguments.init("javac", options, List.of(), wanted);
        if (!arguments.validate()) throw new IllegalArgumentException("options");
        JavaCompiler compiler = JavaCompiler.instance(context);
        compiler.compile(
                arguments.getFileObjects(),
                arguments.getClassNames(),
                com.sun.tools.javac.util.List.nil(),
                com.sun.tools.javac.util.List.nil());
        Log.instance(context).flush();
        // The compiler isn't closed: that would hand its table of names, in an order that is this
        // program's, to the next.
        List<byte[]> fields = new ArrayList<>();
        fields.add(bytes(compiler.errorCount() == 0 ? "ok" : "failed"));
        fields.add(said.toByteArray());
        int size = 0;
        for (Map.Entry<String, ByteArrayOutputStream> file : memory.classes.entrySet()) {
            byte[] name = bytes(file.getKey() + ".class");
            size += file.getValue().size();
            if (file.getKey().contains("/") || name.length > LONGEST_NAME || size > MOST_BYTES) {
                throw new IllegalArgumentException("unusual class files");
            }
            fields.add(name);
            fields.add(file.getValue().toByteArray());
        }
        return fields;
    }

    /** Make the jars of a class path known; whether the work dir is on it, by that name. */
    private String here(String path) {
        String here = path.isEmpty() ? "." : null;
        List<File> jars = new ArrayList<>();
        for (String entry : path.isEmpty() ? new String[0] : path.split(File.pathSeparator, -1)) {
            if (entry.equals(".") || entry.isEmpty()) {
                here = ".";
            } else if (entry.startsWith("/") && entry.endsWith(".jar")) {
                jars.add(new File(entry));
            } else {
                throw new IllegalArgumentException("unusual class path");
            }
        }
        try {
            if (!jars.equals(classPath) || !platform.hasLocation(StandardLocation.CLASS_PATH)) {
                platform.setLocation(StandardLocation.CLASS_PATH, jars);
                classPath = jars;
            }
        } catch (IOException error) {
            throw new IllegalArgumentException(error);
        }
        return here;
    }

    /** One file of the work dir. */
    private static final class Source extends SimpleJavaFileObject {
        private final String name;
        private final String text;

        Source(String name, String text) {
            super(URI.create("file:///box/run/" + name.replaceAll("[^\\w.$-]", "_")), Kind.SOURCE);
            this.name = name;
            this.text = text;
        }

        @Override
        public String getName() {
            return name;
        }

        @Override
        public boolean isNameCompatible(String simpleName, Kind kind) {
            String last = name.substring(name.lastIndexOf('/') + 1);
            return last.equals(simpleName + kind.extension);
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /** The work dir in memory, beside the JDK and the jars of the class path. */
    private static final class Memory extends ForwardingJavaFileManager<JavacFileManager> {
        final Map<String, ByteArrayOutputStream> classes = new LinkedHashMap<>();
        private final String here;
        private final Map<String, String> texts;

        Memory(JavacFileManager platform, String here, Map<String, String> texts) {
            super(platform);
            this.here = here;
            this.texts = texts;
        }

        @Override
        public Iterable<JavaFileObject> list(
                Location location, String packageName, Set<Kind> kinds, boolean recurse)
                throws IOException {
            Iterable<JavaFileObject> others = super.list(location, packageName, kinds, recurse);
            if (location != StandardLocation.CLASS_PATH || here == null
                    || !packageName.isEmpty() || !kinds.contains(Kind.SOURCE)) {
                return others;
            }
            List<JavaFileObject> found = new ArrayList<>();
            for (Map.Entry<String, String> file : texts.entrySet()) {
                if (file.getKey().endsWith(".java")) {
                    found.add(new Source(here + "/" + file.getKey(), file.getValue()));
                }
            }
            others.forEach(found::add);
            return found;
        }

        @Override
        public String inferBinaryName(Location location, JavaFileObject file) {
            if (!(file instanceof Source source)) return super.inferBinaryName(location, file);
            String last = source.name.substring(source.name.lastIndexOf('/') + 1);
            return last.substring(0, last.length() - Kind.SOURCE.extension.length());
        }

        @Override
        public boolean isSameFile(FileObject one, FileObject other) {
            return one == other || one instanceof JavaFileObject && one.equals(other);
        }

        @Override
        public boolean hasLocation(Location location) {
            return location == StandardLocation.CLASS_OUTPUT || super.hasLocation(location);
        }

        @Override
        public JavaFileObject getJavaFileForInput(Location location, String name, Kind kind)
                throws IOException {
            // No module descriptor lies in the work dir.
            if (location == StandardLocation.CLASS_OUTPUT) return null;
            return super.getJavaFileForInput(location, name, kind);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String name, Kind kind, FileObject sibling) {
            if (location != StandardLocation.CLASS_OUTPUT || kind != Kind.CLASS) {
                throw new IllegalArgumentException("unusual output");
            }
            ByteArrayOutputStream written = new ByteArrayOutputStream();
            classes.put(name.replace('.', '/'), written);
            return new SimpleJavaFileObject(URI.create("memory:///out.class"), Kind.CLASS) {
                @Override
                public OutputStream openOutputStream() {
                    return written;
                }

                @Override
                public InputStream openInputStream() throws IOException {
                    throw new IOException("written only");
                }
            };
        }
    }
}
