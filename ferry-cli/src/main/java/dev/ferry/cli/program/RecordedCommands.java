package dev.ferry.cli.program;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.IAnnotatedElement;
import picocli.CommandLine.Model.IGetter;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * What parsing a command needs of its annotations, in a file: to read them takes the JVM half of
 * the time of a short command. The file belongs to one jar. It has no descriptions, so help and the
 * messages of wrong use come from the annotations.
 */
public final class RecordedCommands {
  private static final int PROGRAM = 0;
  private static final int COMMAND = 1;

  private RecordedCommands() {}

  /** The command line has something that a file does not keep. */
  private static final class NotKept extends Exception {}

  /**
   * Writes commands of a program, except those that have groups of options or commands of their
   * own.
   *
   * @param classes of the commands, none of which may look at other commands of the program
   */
  public static void write(Path file, CommandLine program, Collection<Class<?>> classes)
      throws IOException {
    try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(file))) {
      out.writeUTF(program.getCommandName());
      for (CommandLine command : program.getSubcommands().values()) {
        if (!classes.contains(command.getCommandSpec().userObject().getClass())) {
          continue;
        }
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        try {
          write(
              new DataOutputStream(block),
              command.getCommandSpec(),
              program.getCommandSpec().userObject());
        } catch (NotKept e) {
          continue;
        }
        out.writeUTF(command.getCommandName());
        out.writeInt(block.size());
        block.writeTo(out);
      }
    }
  }

  private static void write(DataOutputStream out, CommandSpec command, Object program)
      throws IOException, NotKept {
    boolean simple =
        command.subcommands().isEmpty()
            && command.argGroups().isEmpty()
            && command.parentCommandElements().isEmpty()
            && command.unmatchedArgsBindings().isEmpty()
            && command.userObject() != null;
    if (!simple) {
      throw new NotKept();
    }
    List<Object> owners = new ArrayList<>(List.of(program, command.userObject()));
    out.writeUTF(command.userObject().getClass().getName());
    out.writeInt(command.mixins().size());
    for (Map.Entry<String, CommandSpec> mixin : command.mixins().entrySet()) {
      if (!mixin.getValue().mixins().isEmpty()) {
        throw new NotKept();
      }
      write(out, command.mixinAnnotatedElements().get(mixin.getKey()));
      out.writeUTF(mixin.getValue().userObject().getClass().getName());
      owners.add(mixin.getValue().userObject());
    }
    List<CommandSpec> specs = new ArrayList<>(List.of(command));
    specs.addAll(command.mixins().values());
    out.writeInt(specs.stream().mapToInt(spec -> spec.specElements().size()).sum());
    for (int i = 0; i < specs.size(); i++) {
      for (IAnnotatedElement element : specs.get(i).specElements()) {
        out.writeInt(COMMAND + i);
        write(out, element);
      }
    }
    List<ArgSpec> args = new ArrayList<>(command.args());
    // A command line with one of these is not understood, and so read by the annotations.
    args.removeIf(
        arg -> arg instanceof OptionSpec option && (option.usageHelp() || option.versionHelp()));
    out.writeInt(args.size());
    for (ArgSpec arg : args) {
      write(out, arg, owners);
    }
  }

  private static void write(DataOutputStream out, @Nullable IAnnotatedElement element)
      throws IOException, NotKept {
    if (element == null || !(element.userObject() instanceof Field field)) {
      throw new NotKept();
    }
    write(out, field);
  }

  private static void write(DataOutputStream out, Field field) throws IOException {
    out.writeUTF(field.getDeclaringClass().getName());
    out.writeUTF(field.getName());
  }

  private static void write(DataOutputStream out, ArgSpec arg, List<Object> owners)
      throws IOException, NotKept {
    Object scope = scope(arg);
    int owner = 0;
    while (owner < owners.size() && owners.get(owner) != scope) {
      owner++;
    }
    if (owner == owners.size()
        || !(arg.userObject() instanceof Field field)
        || arg.parameterConsumer() != null
        || arg.interactive()) {
      throw new NotKept();
    }
    out.writeInt(owner);
    write(out, field);
    out.writeBoolean(arg instanceof OptionSpec);
    if (arg instanceof OptionSpec option) {
      writeAll(out, List.of(option.names()));
      out.writeBoolean(option.negatable());
      writeNullable(out, option.fallbackValue());
    } else {
      out.writeUTF(((PositionalParamSpec) arg).index().toString());
    }
    out.writeUTF(arg.arity().toString());
    out.writeUTF(arg.paramLabel());
    out.writeBoolean(arg.required());
    out.writeUTF(arg.type().getName());
    List<String> elements = new ArrayList<>();
    for (Class<?> type : arg.auxiliaryTypes()) {
      elements.add(type.getName());
    }
    writeAll(out, elements);
    List<String> converters = new ArrayList<>();
    for (ITypeConverter<?> converter : arg.converters()) {
      converters.add(converter.getClass().getName());
    }
    writeAll(out, converters);
    writeNullable(out, arg.defaultValue());
    out.writeUTF(arg.splitRegex());
  }

  private static Object scope(ArgSpec arg) throws NotKept {
    try {
      return arg.scope().get();
    } catch (Exception e) {
      throw new NotKept();
    }
  }

  private static void writeAll(DataOutputStream out, List<String> texts) throws IOException {
    out.writeInt(texts.size());
    for (String text : texts) {
      out.writeUTF(text);
    }
  }

  private static void writeNullable(DataOutputStream out, @Nullable String text)
      throws IOException {
    out.writeBoolean(text != null);
    out.writeUTF(text == null ? "" : text);
  }

  /**
   * Reads a command.
   *
   * @param program the object that has the options of all commands
   * @param name the command
   * @return the program with this command alone; null if the file does not have it
   * @throws ReflectiveOperationException if the file is of another jar
   */
  public static @Nullable CommandLine read(Path file, Object program, String name)
      throws IOException, ReflectiveOperationException {
    try (InputStream bytes = Files.newInputStream(file);
        DataInputStream in = new DataInputStream(new BufferedInputStream(bytes))) {
      String programName = in.readUTF();
      while (in.available() > 0) {
        String next = in.readUTF();
        int length = in.readInt();
        if (next.equals(name)) {
          CommandSpec whole = CommandSpec.wrapWithoutInspection(program).name(programName);
          return new CommandLine(whole).addSubcommand(name, command(in, program));
        }
        in.skipNBytes(length);
      }
      return null;
    }
  }

  private static CommandSpec command(DataInputStream in, Object program)
      throws IOException, ReflectiveOperationException {
    Object command = create(in.readUTF());
    CommandSpec spec = CommandSpec.wrapWithoutInspection(command);
    List<Object> owners = new ArrayList<>();
    owners.add(program);
    owners.add(command);
    for (int i = in.readInt(); i > 0; i--) {
      Field field = field(in);
      String type = in.readUTF();
      if (field.get(command) == null) {
        field.set(command, create(type));
      }
      owners.add(field.get(command));
    }
    for (int i = in.readInt(); i > 0; i--) {
      Object owner = owners.get(in.readInt());
      field(in).set(owner, spec);
    }
    for (int i = in.readInt(); i > 0; i--) {
      FieldValue value = new FieldValue(owners.get(in.readInt()), field(in));
      spec.add(in.readBoolean() ? option(in, value) : positional(in, value));
    }
    return spec;
  }

  /** What options and positional parameters have in common; picocli's class for it is hidden. */
  private record Common(
      String arity,
      String paramLabel,
      boolean required,
      Class<?> type,
      Class<?>[] elements,
      ITypeConverter<?>[] converters,
      @Nullable String defaultValue,
      String splitRegex,
      FieldValue value) {
    static Common read(DataInputStream in, FieldValue value)
        throws IOException, ReflectiveOperationException {
      return new Common(
          in.readUTF(),
          in.readUTF(),
          in.readBoolean(),
          RecordedCommands.type(in.readUTF()),
          RecordedCommands.types(all(in)),
          RecordedCommands.converters(all(in)),
          nullable(in),
          in.readUTF(),
          value);
    }
  }

  private static OptionSpec option(DataInputStream in, FieldValue value)
      throws IOException, ReflectiveOperationException {
    OptionSpec.Builder option =
        OptionSpec.builder(all(in)).negatable(in.readBoolean()).fallbackValue(nullable(in));
    Common common = Common.read(in, value);
    return option
        .arity(common.arity)
        .paramLabel(common.paramLabel)
        .required(common.required)
        .type(common.type)
        .auxiliaryTypes(common.elements)
        .converters(common.converters)
        .defaultValue(common.defaultValue)
        .splitRegex(common.splitRegex)
        .initialValue(common.value.get())
        .getter(common.value)
        .setter(common.value)
        .build();
  }

  private static PositionalParamSpec positional(DataInputStream in, FieldValue value)
      throws IOException, ReflectiveOperationException {
    PositionalParamSpec.Builder parameter = PositionalParamSpec.builder().index(in.readUTF());
    Common common = Common.read(in, value);
    return parameter
        .arity(common.arity)
        .paramLabel(common.paramLabel)
        .required(common.required)
        .type(common.type)
        .auxiliaryTypes(common.elements)
        .converters(common.converters)
        .defaultValue(common.defaultValue)
        .splitRegex(common.splitRegex)
        .initialValue(common.value.get())
        .getter(common.value)
        .setter(common.value)
        .build();
  }

  private static Class<?>[] types(String[] names) throws ReflectiveOperationException {
    Class<?>[] types = new Class<?>[names.length];
    for (int i = 0; i < types.length; i++) {
      types[i] = type(names[i]);
    }
    return types;
  }

  private static ITypeConverter<?>[] converters(String[] names)
      throws ReflectiveOperationException {
    ITypeConverter<?>[] converters = new ITypeConverter<?>[names.length];
    for (int i = 0; i < converters.length; i++) {
      converters[i] = (ITypeConverter<?>) create(names[i]);
    }
    return converters;
  }

  private static String[] all(DataInputStream in) throws IOException {
    String[] texts = new String[in.readInt()];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = in.readUTF();
    }
    return texts;
  }

  private static @Nullable String nullable(DataInputStream in) throws IOException {
    boolean present = in.readBoolean();
    String text = in.readUTF();
    return present ? text : null;
  }

  private static Field field(DataInputStream in) throws IOException, ReflectiveOperationException {
    Field field = Class.forName(in.readUTF()).getDeclaredField(in.readUTF());
    field.setAccessible(true);
    return field;
  }

  private static Object create(String name) throws ReflectiveOperationException {
    Constructor<?> constructor = Class.forName(name).getDeclaredConstructor();
    constructor.setAccessible(true);
    return constructor.newInstance();
  }

  private static Class<?> type(String name) throws ReflectiveOperationException {
    return switch (name) {
      case "boolean" -> boolean.class;
      case "int" -> int.class;
      case "long" -> long.class;
      case "double" -> double.class;
      default -> Class.forName(name);
    };
  }

  /** The value of an option, which is that of a field. */
  private record FieldValue(Object owner, Field field) implements IGetter, ISetter {
    @Override
    @SuppressWarnings("unchecked") // the caller knows the type of the option
    public <T> @Nullable T get() throws IllegalAccessException {
      return (T) field.get(owner);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> @Nullable T set(@Nullable T value) throws IllegalAccessException {
      T before = (T) field.get(owner);
      if (value != null || !field.getType().isPrimitive()) {
        field.set(owner, value);
      }
      return before;
    }
  }
}
