// What this page changes in h5web, whose App has no other way to extend it: each change replaces one
// place of its built module. A build fails if a place is not found exactly once.

const IMPORT = `import * as hyperslab from '/src/changes.jsx';\n`;

const CHANGES = [
  // The path that is shown is reported.
  ['propagateErrors: a } = e, [o, s] = E(n)', 'propagateErrors: a, onPath: hyperslabPath } = e, [o, s] = E(n)'],
  ['s(e), u.abortAll("entity changed", !0);', 's(e), hyperslabPath?.(e), u.abortAll("entity changed", !0);'],

  // "Nothing to display" gives a reason.
  [
    '/* @__PURE__ */ k("p", { children: "Nothing to display" })',
    '/* @__PURE__ */ k("p", { children: "Nothing to display" }), /* @__PURE__ */ k(hyperslab.Reason, { path: t })',
  ],

  // Attributes and elements that arrive as text keep NaN, infinities and integers beyond 2^53.
  ['vr(t, r) ? ia(r) : JSON.stringify(r)', 'vr(t, r) ? ia(r) : hyperslab.attributeText(r)'],
  [
    `			return Cl(await this.fetcher(\`\${this.baseURL}/attr\`, {
				file: this.filepath,
				path: t
			}));`,
    `			return hyperslab.exactAttributes(n, Cl(await this.fetcher(\`\${this.baseURL}/attr\`, {
				file: this.filepath,
				path: t,
				numbers: "exact"
			})));`,
  ],
  ['flatten: "true"', 'flatten: "true", numbers: "exact"'],
  ['return Cl(await this.fetcher(s, t, c));', 'return hyperslab.exactElements(r, i, Cl(await this.fetcher(s, t, c)));'],

  // Columns are wide enough for integers of 64 bits, and for exact numbers.
  [
    ': e.class === M.Complex ? 240 : 120;',
    ': e.class === M.Complex ? 240 : hyperslab.cellWidth(e);',
  ],
  ['d = bo(l, s), f = So(l), p = C(r)', 'd = bo(l, s), f = Math.max(So(l), hyperslab.cellWidth(l, s)), p = C(r)'],

  // A table of a large slice has its first cells.
  [
    `		children: /* @__PURE__ */ k(go, {
			dataset: t,
			selection: s,
			render: (e) => /* @__PURE__ */ k(wo, {
				dataset: t,
				value: e,
				dimMapping: i,
				toolbarContainer: n,
				config: o
			})
		})`,
    `		children: /* @__PURE__ */ k(hyperslab.MatrixSlice, {
			dataset: t,
			selection: s,
			dimMapping: i,
			toolbarContainer: n,
			config: o,
			Drawing: wo
		})`,
  ],

  // Lines and heat maps have the axes and titles of dimension scales, and large ones are sampled.
  [
    `		children: /* @__PURE__ */ k(go, {
			dataset: t,
			selection: s,
			render: (e) => /* @__PURE__ */ k(Fo, {
				dataset: t,
				value: e,
				dimMapping: i,
				title: t.name,
				toolbarContainer: n,
				config: o,
				ignoreValue: l
			})
		})`,
    `		children: /* @__PURE__ */ k(hyperslab.LineSlice, {
			dataset: t,
			selection: s,
			dimMapping: i,
			toolbarContainer: n,
			config: o,
			ignoreValue: l,
			Drawing: Fo
		})`,
  ],
  [
    `		children: /* @__PURE__ */ k(go, {
			dataset: t,
			selection: s,
			render: (e) => /* @__PURE__ */ k(Jo, {
				dataset: t,
				value: e,
				dimMapping: i,
				title: t.name,
				toolbarContainer: n,
				config: o,
				ignoreValue: l
			})
		})`,
    `		children: /* @__PURE__ */ k(hyperslab.HeatmapSlice, {
			dataset: t,
			selection: s,
			dimMapping: i,
			toolbarContainer: n,
			config: o,
			ignoreValue: l,
			Drawing: Jo,
			Tools: qo
		})`,
  ],
];

/** The changes as a plugin of Vite. */
export function h5webChanges() {
  return {
    name: 'hyperslab-h5web-changes',
    enforce: 'pre',
    transform(code, id) {
      if (!/@h5web\/app\/dist\/index\.js$/.test(id.split('?')[0])) {
        return null;
      }
      let changed = code;
      for (const [from, to] of CHANGES) {
        const parts = changed.split(from);
        if (parts.length !== 2) {
          throw new Error(`h5web has ${parts.length - 1} places of: ${from}`);
        }
        changed = parts.join(to);
      }
      return { code: IMPORT + changed, map: null };
    },
  };
}
