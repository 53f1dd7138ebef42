import { Refusal } from '../../../plan/refusal.js'

/** A question that has no answer. */
export class CannotAsk extends Refusal {}
