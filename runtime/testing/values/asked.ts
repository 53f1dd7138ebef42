/** A key to sort by, `-` for descending, or what a column is matched with. */
export type Asked = { readonly sort: string } | { readonly column: string; readonly text: string }

export const inUrl = (asked: Asked): string =>
  'sort' in asked
    ? `sort=${asked.sort}`
    : `filter[${asked.column}]=${encodeURIComponent(asked.text)}`
