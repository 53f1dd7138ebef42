/** Lists that are walked from where a page ended: `cursor=`. Its row in the list of what `reads` names. */
export const cursorsRead = {
  name: 'cursors',
  parameters: ['cursor', 'withTotal'],
} as const
