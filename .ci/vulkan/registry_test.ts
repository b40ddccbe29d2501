import { assertEquals, assertThrows } from "@std/assert";
import { Registry } from "./registry.ts";

const REGISTRY = new Registry(`
<registry>
  <type category="define">#define <name>VK_HEADER_VERSION</name> 77</type>
  <type category="basetype">typedef <type>uint64_t</type> <name>VkDeviceSize</name>;</type>
  <type requires="VkUseBits" category="bitmask">typedef <type>VkFlags</type> <name>VkUse</name>;</type>
  <type category="basetype">typedef <type>uint32_t</type> <name>VkFlags</name>;</type>
  <type category="handle" parent="VkDevice"><type>VK_DEFINE</type>(<name>VkBuffer</name>)</type>
  <type name="VkKind" category="enum"/>
  <type category="struct" name="VkInner">
    <member><type>uint8_t</type> <name>tag</name></member>
    <member><type>VkDeviceSize</type> <name>size</name></member>
  </type>
  <type category="struct" name="VkOuter" structextends="VkOther">
    <member values="VK_STRUCTURE_TYPE_OUTER"><type>VkKind</type> <name>sType</name></member>
    <member optional="true">const <type>void</type>* <name>pNext</name><comment>a <type>list</type>*</comment></member>
    <member><type>VkUse</type> <name>use</name></member>
    <member api="vulkansc"><type>uint64_t</type> <name>absent</name></member>
    <member><type>char</type> <name>text</name>[<enum>VK_MAX</enum>]</member>
    <member><type>float</type> <name>pair</name>[2]</member>
    <member><type>VkBuffer</type> <name>buffer</name></member>
    <member><type>VkInner</type> <name>inner</name>[3]</member>
    <member>const <type>char</type>* const* <name>names</name></member>
    <member><type>int32_t</type> <name>last</name></member>
  </type>
  <enums name="API Constants"><enum type="uint32_t" value="5U" name="VK_MAX"/></enums>
  <enums name="VkResult" type="enum">
    <enum value="0" name="VK_SUCCESS"/><enum value="-4" name="VK_ERROR_LOST"/>
  </enums>
  <enums name="VkUseBits" type="bitmask"><enum bitpos="5" name="VK_USE_STORAGE_BIT"/></enums>
  <commands>
    <command successcodes="VK_SUCCESS">
      <proto><type>VkResult</type> <name>vkMake</name></proto>
      <param><type>VkBuffer</type> <name>one</name></param>
      <param api="vulkansc"><type>uint32_t</type> <name>absent</name></param>
      <param>const <type>VkOuter</type>* <name>pInfo</name></param>
      <param><type>uint32_t</type> <name>count</name></param>
      <implicitexternsyncparams><param>all <type>VkBuffer</type> objects</param></implicitexternsyncparams>
    </command>
    <command><proto><type>void</type> <name>vkEnd</name></proto></command>
  </commands>
  <feature number="1.1"><require>
    <enum extends="VkKind" extnumber="3" offset="2" name="VK_STRUCTURE_TYPE_OUTER"/>
  </require></feature>
  <extension name="VK_EXT_one" number="12"><require>
    <enum offset="3" extends="VkResult" dir="-" name="VK_ERROR_OF_ONE"/><enum name="VK_MAX"/>
  </require></extension>
</registry>`);

Deno.test("Registry lays structures out as C does", () => {
  const { bytes, alignment, typeName, fields } = REGISTRY.structure("VkOuter");
  assertEquals([bytes, alignment, typeName], [112, 8, "VK_STRUCTURE_TYPE_OUTER"]);
  assertEquals(fields.map(({ name, byte, kind, count }) => [name, byte, kind, count]), [
    ["sType", 0, "u32", 1],
    ["pNext", 8, "u64", 1],
    ["use", 16, "u32", 1],
    ["text", 20, "u8", 5],
    ["pair", 28, "f32", 2],
    ["buffer", 40, "u64", 1],
    ["inner", 48, "VkInner", 3],
    ["names", 96, "u64", 1],
    ["last", 104, "i32", 1],
  ]);
  assertEquals(REGISTRY.structure("VkInner").bytes, 16);
});

Deno.test("Registry knows numbers, those of extensions too, and signatures", () => {
  assertEquals(REGISTRY.headerVersion, 77);
  assertEquals(REGISTRY.constant("VK_STRUCTURE_TYPE_OUTER"), 1_000_002_002);
  assertEquals(REGISTRY.constant("VK_USE_STORAGE_BIT"), 32);
  assertEquals(
    REGISTRY.resultNames().map((name) => [name, REGISTRY.constant(name)]),
    [["VK_SUCCESS", 0], ["VK_ERROR_LOST", -4], ["VK_ERROR_OF_ONE", -1_000_011_003]],
  );
  assertEquals(REGISTRY.signature("vkMake"), { parameters: ["u64", "u64", "u32"], result: "i32" });
  assertEquals(REGISTRY.signature("vkEnd"), { parameters: [], result: "void" });
});

Deno.test("Registry names what it does not have", () => {
  for (
    const ask of [
      () => REGISTRY.structure("VkNone"),
      () => REGISTRY.constant("VkNone"),
      () => REGISTRY.signature("VkNone"),
    ]
  ) {
    assertThrows(ask, Error, "Cannot read the registry as VkNone is not in it");
  }
});
